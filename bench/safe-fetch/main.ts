import { createSafeFetch } from '@doorplate/safe-fetch'
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici'

import { measure, type Contender } from '../src/measure.js'
import { report, type Comparison } from '../src/report.js'
import { dispatchOnce } from './dispatch-once.js'
import { startServer } from './start-server.js'

/** GETs of a 1 KB document on kept-alive connections, so many at a time; the body is read to its end. */
const OPERATIONS_PER_RUN = 320
const MEASURE = { rounds: 9, warmUpMs: 1_500, roundMs: 300 }

await using server = await startServer()
const url = `${server.origin}/entity.json`
const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host] })
const dispatcher = new Agent()

const comparisons: Comparison[] = []
for (const concurrency of [1, 8, 32]) {
  const contender = (name: string, operation: () => Promise<unknown>): Contender => ({
    name,
    operationsPerRun: OPERATIONS_PER_RUN,
    run: () => runAll(concurrency, operation),
  })
  const core = await measure(
    [
      contender('undici request', async () => (await undiciRequest(url, { dispatcher })).body.bytes()),
      contender('undici dispatch', () => dispatchOnce(dispatcher, url)),
      contender('safeFetch.request', async () => (await safeFetch.request(url)).body),
    ],
    MEASURE,
  )
  const facade = await measure(
    [
      contender('undici fetch', async () => (await undiciFetch(url, { dispatcher })).arrayBuffer()),
      contender('safeFetch', async () => (await safeFetch(url)).arrayBuffer()),
    ],
    MEASURE,
  )
  comparisons.push(
    {
      title: `The core, ${String(concurrency)} at once`,
      measurements: core,
      baseline: 'undici request',
      limit: 'undici dispatch',
    },
    { title: `The fetch, ${String(concurrency)} at once`, measurements: facade, baseline: 'undici fetch' },
  )
}
await Promise.all([safeFetch.close(), dispatcher.close()])
await report('safe-fetch', comparisons)

/** Runs the operation a fixed number of times, so many at once. */
async function runAll(concurrency: number, operation: () => Promise<unknown>): Promise<void> {
  let started = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (started++ < OPERATIONS_PER_RUN) await operation()
    }),
  )
}
