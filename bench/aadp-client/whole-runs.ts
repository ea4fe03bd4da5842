import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createMemoryStore, discoverAllEntities, syncEntities } from '@doorplate/aadp-client'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { startSite } from './start-site.js'

/** Figures of single runs: peak memory, the schedule with slow entities, and what an unchanged site costs. */

await measureSlowEntities()
await measureUnchanged()
await measureMemory(Number(process.argv[2] ?? 100_000))

/** Peak resident memory of a process that only walks. */
async function measureMemory(entityCount: number): Promise<void> {
  await using site = await startSite(entityCount)
  const walk = fork(new URL('./walk-process.js', import.meta.url), [site.origin], { execArgv: [] })
  const [{ count, peakMb }] = (await once(walk, 'message')) as [{ count: number; peakMb: number }]
  process.stdout.write(`peak memory for ${String(count)} entities: ${peakMb.toFixed(0)} MB\n`)
}

/** A tenth of the entities takes 300 ms: the ideal schedule keeps all places busy. */
async function measureSlowEntities(): Promise<void> {
  const [entityCount, slowMs, concurrency] = [100, 300, 10]
  await using site = await startSite(entityCount, slowMs)
  const fetch = createSafeFetch({ dangerouslyAllow: [site.host] })
  const idealMs = (entityCount / 10) * (slowMs / concurrency)
  for (const ordered of [true, false]) {
    const ratios: number[] = []
    for (let round = 0; round < 5; round++) {
      const start = performance.now()
      for await (const _ of discoverAllEntities(site.origin, { fetch, concurrency, ordered }));
      ratios.push((performance.now() - start) / idealMs)
    }
    const median = ratios.toSorted((a, b) => a - b)[2] ?? NaN
    process.stdout.write(
      `10 % slow, ${ordered ? 'in order' : 'as they arrive'}: ${median.toFixed(2)} of the ideal time\n`,
    )
  }
  await fetch.close()
}

async function measureUnchanged(): Promise<void> {
  await using site = await startSite(5_000)
  const fetch = createSafeFetch({ dangerouslyAllow: [site.host] })
  const store = createMemoryStore()
  for (const name of ['first', 'unchanged']) {
    const sync = syncEntities(site.origin, { fetch, store, concurrency: 8 })
    for await (const _ of sync);
    const { requests, bytes, durationMs } = sync.summary
    process.stdout.write(
      `${name} sync: ${String(requests)} requests, ${String(bytes)} bytes, ${String(durationMs)} ms\n`,
    )
  }
  await fetch.close()
}
