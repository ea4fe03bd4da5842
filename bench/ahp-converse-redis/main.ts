import { startRedis } from '@internal/loopback'
import { Redis } from 'ioredis'
import { CONVERSE, question } from '../ahp-converse/site.js'
import { type Load, load } from '../src/load.js'
import { spread } from '../src/measure.js'
import { type Comparison, type Figure, report } from '../src/report.js'
import { type ServerProcess, startServer } from '../src/server-process.js'

/** Requests go to all processes of a contender at once, as from a balancer that costs nothing. */
interface Contender {
  readonly name: string
  readonly processes: readonly ServerProcess[]
}

const ROUNDS = 5
const COUNTED_TURNS = 600
const JSON_BODY = { 'content-type': 'application/json' }
const SERVER = new URL('server.ts', import.meta.url)
const ONE = 'one process on Redis'
const THREE = 'three processes on Redis'

const redis = await startRedis()
const contenders: readonly Contender[] = [
  await start(ONE, 1, String(redis.port)),
  await start(THREE, 3, String(redis.port)),
  await start('one process in memory', 1),
]
const comparisons: Comparison[] = [
  await compare('kept answer, 24 at once', question('kept', 0), { connections: 24, requests: 6000 }),
  await compare('fresh answer, 24 at once', question('fresh', 0), { connections: 24, requests: 2400 }),
  // As many as a process takes by default.
  await compare('answer that waits 100 ms, 60 at once for each process', waitingQuestion(), {
    connectionsPerProcess: 60,
    requests: 3600,
  }),
]
const costs = await turnCosts()
for (const { processes } of contenders) for (const process of processes) process.stop()
await redis[Symbol.asyncDispose]()
await report('ahp-converse-redis', comparisons, costs)

async function start(name: string, count: number, ...args: readonly string[]): Promise<Contender> {
  return {
    name,
    processes: await Promise.all(Array.from({ length: count }, () => startServer(SERVER, name, ...args))),
  }
}

function waitingQuestion(): string {
  return JSON.stringify({
    ahp: '0.1',
    capability: 'waiting',
    query: 'q',
    context: { requesting_agent: 'bench/1.0' },
  })
}

/** In rounds A B C, C B A, A B C, ... after one that does not count. */
async function compare(
  title: string,
  body: string,
  work: { readonly connections?: number; readonly connectionsPerProcess?: number; readonly requests: number },
): Promise<Comparison> {
  const times = new Map(
    contenders.map(({ name }) => [name, { wallUs: [] as number[], cpuUs: [] as number[] }]),
  )
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, processes } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const { connections = 0, connectionsPerProcess = connections / processes.length } = work
      const share: Omit<Load, 'port'> = {
        method: 'POST',
        path: CONVERSE,
        headers: JSON_BODY,
        status: 200,
        body,
        connections: connectionsPerProcess,
        requests: work.requests / processes.length,
      }
      const cpuStart = await cpuMs(processes)
      const start = performance.now()
      await Promise.all(processes.map(({ port }) => load({ ...share, port })))
      const wallMs = performance.now() - start
      if (round === 0) continue
      times.get(name)?.wallUs.push((wallMs * 1000) / work.requests)
      times.get(name)?.cpuUs.push((((await cpuMs(processes)) - cpuStart) * 1000) / work.requests)
    }
  }
  const measurements = [...times].map(([name, { wallUs, cpuUs }]) => ({
    name,
    runsPerRound: work.requests,
    wallUs: spread(wallUs),
    cpuUs: spread(cpuUs),
  }))
  return { title, measurements, baseline: ONE }
}

/** What one turn asks of Redis, as Redis counts it; commands that are sent together are read at once. */
async function turnCosts(): Promise<Figure[]> {
  const client = new Redis(redis.port)
  const port = contenders[0]?.processes[0]?.port ?? 0
  const figures: Figure[] = []
  for (const kind of ['kept', 'fresh'] as const)
    for (const connections of [1, 24]) {
      const work = { method: 'POST', path: CONVERSE, headers: JSON_BODY, status: 200 }
      const before = await counted(client)
      await load({ ...work, port, body: question(kind, 0), connections, requests: COUNTED_TURNS })
      const after = await counted(client)
      const title = `a turn, ${kind} answer, ${connections} at once`
      // The second count is one command and one read itself.
      const perTurn = (from: number, to: number): number => (to - from - 1) / COUNTED_TURNS
      figures.push(
        { name: `commands to Redis for ${title}`, value: perTurn(before.commands, after.commands), unit: '' },
        { name: `round trips to Redis for ${title}`, value: perTurn(before.reads, after.reads), unit: '' },
      )
    }
  client.disconnect()
  return figures
}

/** Commands of clients, not those that scripts run, and how often Redis has read from a connection. */
async function counted(client: Redis): Promise<{ readonly commands: number; readonly reads: number }> {
  const text = await client.info('all')
  const sent = ['evalsha', 'eval', 'get', 'set', 'info'].map((name) =>
    Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(text)?.[1] ?? 0),
  )
  const reads = Number(/^total_reads_processed:(\d+)/m.exec(text)?.[1] ?? 0)
  return { commands: sent.reduce((sum, calls) => sum + calls), reads }
}

async function cpuMs(processes: readonly ServerProcess[]): Promise<number> {
  let sum = 0
  for (const process of processes) sum += await process.cpuMs()
  return sum
}
