import type { OriginQueue } from './origin-queue.js'
import { sleep } from '../waiting/sleep.js'

/** A queue in this process, which is done when it is empty. */
export function createMemoryQueue(): OriginQueue {
  const waiting: string[] = []
  const known = new Set<string>()
  return {
    add(origin) {
      if (!known.has(origin)) {
        known.add(origin)
        waiting.push(origin)
      }
      return Promise.resolve()
    },
    async process(work, { concurrency, rate, signal }) {
      const pace = createPace(rate)
      const next = async (): Promise<void> => {
        while (waiting.length > 0) {
          try {
            signal?.throwIfAborted()
            await pace(signal)
          } catch {
            return
          }
          const origin = waiting.shift()
          if (origin === undefined) return
          await work(origin).catch(() => undefined)
          known.delete(origin)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, next))
    },
  }
}

/** Waits until one more start keeps to the rate. */
function createPace(
  rate: { readonly max: number; readonly intervalMs: number } | undefined,
): (signal: AbortSignal | undefined) => Promise<void> {
  const starts: number[] = []
  return async (signal) => {
    if (!rate) return
    const startAtMs = Math.max(Date.now(), (starts.at(-rate.max) ?? -Infinity) + rate.intervalMs)
    starts.push(startAtMs)
    if (starts.length > rate.max) starts.shift()
    await sleep(startAtMs - Date.now(), signal)
  }
}
