import { type Measurement, spread } from '../src/measure.js'
import { type Comparison, report } from '../src/report.js'
import { declareShop, PATHS } from './declaration.js'
import { load } from './load.js'
import { type ServerProcess, startServer } from './server-process.js'

const ROUNDS = 5
const CONNECTIONS = 32
const REQUESTS = 10_000

const PAIRS = [
  { adapter: 'toNodeListener', limit: 'ready buffer' },
  { adapter: 'handleRequest', limit: 'ready Response' },
] as const

const comparisons: Comparison[] = []
for (const { adapter, limit } of PAIRS) {
  const servers = [await startServer(adapter, 1000), await startServer(limit, 1000)]
  for (const [document, path] of Object.entries(PATHS)) {
    for (const status of [200, 304] as const) {
      const measurements = await compare(servers, path, status)
      comparisons.push({ title: `${document}, ${String(status)}`, measurements, limit })
    }
  }
  for (const server of servers) server.stop()
}
comparisons.push(await compareCatalogues())
await report('aadp-server', comparisons)

/** A page costs the same whatever is behind it. */
async function compareCatalogues(): Promise<Comparison> {
  const small = { ...(await startServer('toNodeListener', 10, 10)), name: '10 records' }
  const large = { ...(await startServer('toNodeListener', 10_000, 10)), name: '10,000 records' }
  const measurements = await compare([small, large], PATHS.page, 200)
  small.stop()
  large.stop()
  return { title: 'page of 10, by size of the catalogue', measurements, limit: small.name }
}

/** Rounds A B, B A, A B, ... after one that does not count. */
async function compare(
  servers: readonly ServerProcess[],
  path: string,
  status: number,
): Promise<Measurement[]> {
  const headers = status === 304 ? { 'if-none-match': await etagOf(path) } : {}
  const rounds = new Map(servers.map((server) => [server, { wallUs: [] as number[], cpuUs: [] as number[] }]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const cpuStart = await server.cpuMs()
      const job = { port: server.port, path, headers, status, connections: CONNECTIONS, requests: REQUESTS }
      const { wallMs } = await load(job)
      const cpuMs = (await server.cpuMs()) - cpuStart
      if (round === 0) continue
      rounds.get(server)?.wallUs.push((wallMs * 1000) / REQUESTS)
      rounds.get(server)?.cpuUs.push((cpuMs * 1000) / REQUESTS)
    }
  }
  return [...rounds].map(([{ name }, { wallUs, cpuUs }]) => ({
    name,
    runsPerRound: REQUESTS,
    wallUs: spread(wallUs),
    cpuUs: spread(cpuUs),
  }))
}

async function etagOf(path: string): Promise<string> {
  const response = await declareShop(1000).handleRequest(new Request(`https://shop.example${path}`))
  return response.headers.get('etag') ?? ''
}
