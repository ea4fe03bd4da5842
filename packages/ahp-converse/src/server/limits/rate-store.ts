import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../awaitable.js'

/** What was counted under a key since its window began. */
export interface RateCount {
  readonly consumedPoints: number
  /** Until the window ends, milliseconds. */
  readonly msBeforeNext: number
}

/**
 * Where requests are counted, in fixed windows that begin with the first request. Every limiter of `rate-limiter-flexible` is
 * one, whatever its own points and duration: `new RateLimiterRedis({ storeClient, points: 1, duration: 1 })`.
 */
export interface RateStore {
  /** Counts, in one atomic step. `customDuration` is how long a window lasts, in seconds. */
  penalty(key: string, points: number, options: { readonly customDuration: number }): Awaitable<RateCount>
  get(key: string): Awaitable<RateCount | null>
}

interface Window {
  consumed: number
  endsAt: number
}

export interface MemoryRateStoreOptions {
  /** Windows kept at most. */
  readonly maxKeys: number
  readonly now: () => number
}

/** A store that answers at once. */
export interface MemoryRateStore {
  penalty(...counted: Parameters<RateStore['penalty']>): RateCount
  get(key: string): RateCount | null
}

/**
 * Counts in this process. When there are too many keys, the one that was not used for longest starts anew. Whoever is being
 * refused keeps asking and so is never that one; to be forgotten takes more addresses than there are keys, each of which
 * would have a window of its own anyway.
 */
export function createMemoryRateStore({ maxKeys, now }: MemoryRateStoreOptions): MemoryRateStore {
  const windows = new LRUCache<string, Window>({ max: maxKeys })
  return {
    penalty(key, points, { customDuration }) {
      const time = now()
      const durationMs = customDuration * 1000
      let window = windows.get(key)
      // The last condition lets nobody wait for hours after the clock was set back.
      if (window === undefined || window.endsAt <= time || window.endsAt - time > durationMs) {
        window = { consumed: 0, endsAt: time + durationMs }
        windows.set(key, window)
      }
      window.consumed += points
      return { consumedPoints: window.consumed, msBeforeNext: window.endsAt - time }
    },
    get(key) {
      const window = windows.get(key)
      const msBeforeNext = window === undefined ? 0 : window.endsAt - now()
      return window === undefined || msBeforeNext <= 0
        ? null
        : { consumedPoints: window.consumed, msBeforeNext }
    },
  }
}
