// #region sync
import { syncOrigins } from '@doorplate/aadp-client'
import { createBullQueue } from '@doorplate/aadp-client/bullmq'
// #endregion sync

/**
 * @param {import('@doorplate/aadp-client').SyncStore} store
 * @param {(origin: string, event: import('@doorplate/aadp-client').SyncEvent) => Promise<void>} index
 * @param {(origin: string, summary: unknown, error: unknown) => void} log
 */
export async function mirrorMany(store, index, log) {
  // #region sync
  const queue = createBullQueue({ connection: { host: 'redis.internal' } })
  await syncOrigins(['https://books.example', 'https://maps.example'], {
    queue,
    store,
    originConcurrency: 8,
    rate: { max: 100, intervalMs: 60_000 },
    onEvent: (origin, event) => index(origin, event),
    onEnd: ({ origin, summary, error }) => log(origin, summary, error),
  })
  // #endregion sync
}
