import { discoverAllEntities } from '@doorplate/aadp-client'
import { createSafeFetch } from '@doorplate/safe-fetch'

/** Started as a process of its own, without a TypeScript loader in its memory: walks a site and reports its peak memory. */

const [origin = ''] = process.argv.slice(2)
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })
let count = 0
for await (const _ of discoverAllEntities(origin, { fetch, concurrency: 8 })) count++
await fetch.close()
process.send?.({ count, peakMb: process.resourceUsage().maxRSS / 1024 })
