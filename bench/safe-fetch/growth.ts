import { setTimeout as wait } from 'node:timers/promises'

import { createSafeFetch, type Lookup } from '@doorplate/safe-fetch'

import { startServer } from './start-server.js'

/**
 * Sockets and memory over 100,000 requests to 1,000 names (or as many as the first argument says), 16 at once; then what is
 * left when nothing is asked.
 */
const REQUESTS = 100_000
const NAMES = Number(process.argv[2] ?? 1_000)
const CONCURRENCY = 16
const SAMPLES = 10

await using server = await startServer()
const port = server.host.split(':')[1] ?? ''
const lookup: Lookup = (_hostname, _options, callback) => {
  callback(null, [{ address: '127.0.0.1', family: 4 }])
}
const safeFetch = createSafeFetch({ lookup, dangerouslyAllow: [server.host] })

process.stdout.write('| requests | sockets | heap MB | resident MB |\n| --- | --- | --- | --- |\n')
let done = 0
for (let sample = 1; sample <= SAMPLES; sample++) {
  const target = (REQUESTS / SAMPLES) * sample
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (done < target) await ask(done++)
    }),
  )
  await printSample(String(target))
}
await wait(31_000)
await printSample('after idling')
await safeFetch.close()
await wait(100)
await printSample('closed')

/** Turns between the core and the fetch. */
async function ask(count: number): Promise<void> {
  const url = `http://host-${String(count % NAMES)}.example:${port}/`
  if (count % 2 === 0) await safeFetch.request(url)
  else await (await safeFetch(url)).arrayBuffer()
}

async function printSample(label: string): Promise<void> {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const sockets = await server.countConnections()
  process.stdout.write(
    `| ${label} | ${String(sockets)} | ${(heapUsed / 1e6).toFixed(1)} | ${(rss / 1e6).toFixed(1)} |\n`,
  )
}
