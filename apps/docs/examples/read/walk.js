import { discoverAllEntities } from '@doorplate/aadp-client'
import { createSafeFetch } from '@doorplate/safe-fetch'

const origin = process.argv[2] ?? 'http://127.0.0.1:4870'
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })

const walk = discoverAllEntities(origin, { fetch, onError: 'skip' })
for await (const entity of walk) console.log(entity.id, entity.updated_at)
console.log(walk.summary.complete ? 'everything' : `not everything: ${walk.summary.errors} errors`)
await fetch.close()
