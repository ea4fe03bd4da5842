import { discoverAllEntities } from '@doorplate/aadp-client'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { Pool } from 'undici'
import { measure } from '../src/measure.js'
import { report, type Comparison } from '../src/report.js'
import { crawlWithDispatch } from './crawl-with-dispatch.js'
import { startSite } from './start-site.js'

const ENTITIES = 5_000

await using site = await startSite(ENTITIES)
const fetch = createSafeFetch({ dangerouslyAllow: [site.host] })
const comparisons: Comparison[] = []
for (const concurrency of [1, 8, 32]) {
  const pool = new Pool(site.origin, { connections: concurrency })
  const measurements = await measure(
    [
      {
        name: 'undici dispatch',
        operationsPerRun: ENTITIES,
        run: () => crawlWithDispatch(pool, concurrency),
      },
      ...[true, false].map((ordered) => ({
        name: `discoverAllEntities, ${ordered ? 'in order' : 'as they arrive'}`,
        operationsPerRun: ENTITIES,
        run: () => crawl(concurrency, ordered),
      })),
    ],
    { rounds: 11, warmUpMs: 3_000 },
  )
  await pool.close()
  comparisons.push({
    title: `Time per entity, ${String(concurrency)} at once`,
    measurements,
    limit: 'undici dispatch',
  })
}
await fetch.close()
await report('aadp-client', comparisons)

async function crawl(concurrency: number, ordered: boolean): Promise<number> {
  let count = 0
  for await (const _ of discoverAllEntities(site.origin, { fetch, concurrency, ordered })) count++
  if (count !== ENTITIES) throw new Error(`${String(count)} entities.`)
  return count
}
