import { createMemoryStore, syncOrigins } from '@doorplate/aadp-client'
import { createSafeFetch } from '@doorplate/safe-fetch'

const origins = process.argv.slice(2)
const fetch = createSafeFetch({ dangerouslyAllow: origins.map((origin) => new URL(origin).host) })

await syncOrigins(origins, {
  store: createMemoryStore(),
  fetch,
  originConcurrency: 8,
  minDelayPerOriginMs: 10,
  onEvent: (origin, event) => {
    if (event.kind !== 'unchanged') console.log(origin, event.kind, event.id)
  },
  onEnd: ({ origin, summary, error }) =>
    console.log(origin, error ?? (summary?.complete ? 'complete' : summary?.partial)),
})
await fetch.close()
