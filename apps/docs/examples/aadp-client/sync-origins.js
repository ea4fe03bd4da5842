// sync-origins.mjs
import { syncOrigins } from '@doorplate/aadp-client'
import { createBullQueue } from '@doorplate/aadp-client/bullmq'
import { createSqliteStore } from '@doorplate/aadp-client/sqlite'
import { createSafeFetch } from '@doorplate/safe-fetch'

const { REDIS_URL = 'redis://127.0.0.1:6379', MIRROR = './mirror.db', PRIVATE_HOSTS } = process.env
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const queue = createBullQueue({ connection: { url: REDIS_URL } })
const store = createSqliteStore(MIRROR)
const fetch = createSafeFetch({ dangerouslyAllow: PRIVATE_HOSTS?.split(',') ?? [] })
await syncOrigins(process.argv.slice(2), {
  queue,
  store,
  fetch,
  signal: stop.signal,
  originConcurrency: 8,
  rate: { max: 100, intervalMs: 60_000 },
  onEvent: (origin, event) => console.log(origin, event.kind),
  onEnd: ({ origin, summary, error }) => console.log(origin, error ?? summary.partial ?? 'complete'),
})
await queue.close()
await fetch.close()
store.close()
