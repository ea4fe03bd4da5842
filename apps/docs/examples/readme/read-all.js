import { discoverAllEntities } from '@doorplate/aadp-client'
import { createSafeFetch } from '@doorplate/safe-fetch'

const origin = process.argv[2] ?? 'http://127.0.0.1:4870'
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })

for await (const entity of discoverAllEntities(origin, { fetch, onError: 'skip' })) {
  console.log(entity.id, entity.checksum, entity.data.title)
}
await fetch.close()
