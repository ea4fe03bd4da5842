import { createDiscoveryBudget, discover, discoverAllEntities } from '@doorplate/aadp-client'
import { createSafeFetch } from '@doorplate/safe-fetch'

const origin = process.argv[2] ?? 'http://127.0.0.1:4870'
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })

const budget = createDiscoveryBudget({ maxRequests: 1_000, deadlineMs: 60_000 })
const manifest = await discover(origin, { fetch, budget })
console.log(manifest.application.name)
for await (const entity of discoverAllEntities(origin, { fetch, budget, concurrency: 8 })) {
  console.log(entity.id)
}
await fetch.close()
