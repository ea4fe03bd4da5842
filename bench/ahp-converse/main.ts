import { compareServers } from '../src/compare-servers.js'
import { spread } from '../src/measure.js'
import { type Comparison, type Figure, report } from '../src/report.js'
import { startServer } from '../src/server-process.js'
import { CONVERSE, MANIFEST, openSite, question } from './site.js'

const ROUNDS = 5
const SERVER = new URL('server.ts', import.meta.url)
const LIMIT = 'ready buffer'
const FRESH_QUESTIONS = 2000

const servers = [await startServer(SERVER, 'concierge'), await startServer(SERVER, LIMIT)]
const post = { method: 'POST', path: CONVERSE, headers: { 'content-type': 'application/json' }, status: 200 }
const get = { path: MANIFEST, headers: {}, status: 200 }
const comparisons: Comparison[] = []
await compare('manifest, 10 at once', { ...get, connections: 10, requests: 10_000 })
await compare('kept answer, 10 at once', {
  ...post,
  body: question('kept', 0),
  connections: 10,
  requests: 10_000,
})
await compare('kept answer, 1 at a time', {
  ...post,
  body: question('kept', 0),
  connections: 1,
  requests: 3000,
})
await compare('fresh answer, 1 at a time', {
  ...post,
  body: question('fresh', 0),
  connections: 1,
  requests: 1000,
})
for (const server of servers) server.stop()
await report('ahp-converse', comparisons, await freshAnswers())

async function compare(title: string, job: Parameters<typeof compareServers>[1]): Promise<void> {
  comparisons.push({ title, measurements: await compareServers(servers, job, ROUNDS), limit: LIMIT })
}

/** The time of the server alone, without HTTP, over many questions. */
async function freshAnswers(): Promise<Figure[]> {
  const site = await openSite()
  const caller = { address: '192.0.2.1' }
  const times: number[] = []
  for (let number = 0; number < FRESH_QUESTIONS; number++) {
    const request: unknown = JSON.parse(question('fresh', number % 500))
    const start = performance.now()
    const { status } = await site.converse({ request, caller })
    if (status !== 200) throw new Error(`A question was answered with ${status}.`)
    if (number >= FRESH_QUESTIONS / 2) times.push((performance.now() - start) * 1000)
  }
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? NaN
  return [
    { name: 'fresh answer over 1,000 passages, p50', value: spread(times).median, unit: 'us' },
    { name: 'fresh answer over 1,000 passages, p99', value: p99, unit: 'us' },
  ]
}
