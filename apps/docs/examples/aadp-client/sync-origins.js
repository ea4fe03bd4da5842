// #region sync
import { syncOrigins } from '@doorplate/aadp-client'
import { createBullQueue } from '@doorplate/aadp-client/bullmq'
// #endregion sync

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

/**
 * @param {readonly string[]} origins
 * @param {Required<Pick<import('@doorplate/aadp-client').SyncOriginsOptions, 'store' | 'fetch' | 'signal'>>} parts
 * @param {(origin: string, event: import('@doorplate/aadp-client').SyncEvent) => unknown} index
 * @param {(origin: string, summary: unknown, error: unknown) => unknown} log
 */
export async function mirrorMany(origins, { store, fetch, signal }, index, log) {
  // #region sync
  const queue = createBullQueue({ connection: { url } })
  await syncOrigins(origins, {
    queue,
    store,
    fetch,
    signal,
    originConcurrency: 8,
    rate: { max: 100, intervalMs: 60_000 },
    onEvent: (origin, event) => index(origin, event),
    onEnd: ({ origin, summary, error }) => log(origin, summary, error),
  })
  await queue.close()
  // #endregion sync
}
