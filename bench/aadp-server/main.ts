import { compareServers } from '../src/compare-servers.js'
import type { Measurement } from '../src/measure.js'
import { type Comparison, report } from '../src/report.js'
import { type ServerProcess, startServer } from '../src/server-process.js'
import { declareShop, PATHS } from './declaration.js'

const SERVER = new URL('server.ts', import.meta.url)
const ROUNDS = 5
const CONNECTIONS = 32
const REQUESTS = 10_000

const PAIRS = [
  { adapter: 'toNodeListener', limit: 'ready buffer' },
  { adapter: 'handleRequest', limit: 'ready Response' },
] as const

const comparisons: Comparison[] = []
for (const { adapter, limit } of PAIRS) {
  const servers = [await startServer(SERVER, adapter), await startServer(SERVER, limit)]
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
  const small = { ...(await startServer(SERVER, 'toNodeListener', '10', '10')), name: '10 records' }
  const large = { ...(await startServer(SERVER, 'toNodeListener', '10000', '10')), name: '10,000 records' }
  const measurements = await compare([small, large], PATHS.page, 200)
  small.stop()
  large.stop()
  return { title: 'page of 10, by size of the catalogue', measurements, limit: small.name }
}

async function compare(
  servers: readonly ServerProcess[],
  path: string,
  status: number,
): Promise<Measurement[]> {
  const headers = status === 304 ? { 'if-none-match': await etagOf(path) } : {}
  const job = { path, headers, status, connections: CONNECTIONS, requests: REQUESTS }
  return compareServers(servers, job, ROUNDS)
}

async function etagOf(path: string): Promise<string> {
  const response = await declareShop(1000).handleRequest(new Request(`https://shop.example${path}`))
  return response.headers.get('etag') ?? ''
}
