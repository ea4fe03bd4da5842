import { MAX_TIMER_MS } from './max-timer.js'

/** When a wait is over, whatever is waited for. */
export interface WaitLimits {
  readonly signal: AbortSignal | undefined
  /** `Infinity`: no limit. */
  readonly timeoutMs: number
  /** What the wait rejects with when the time is over. */
  readonly late: () => Error
}

/** The promise, or a rejection with the signal's own reason, or with `late()`, if that comes first. */
export async function settleInTime<Value>(
  promise: Promise<Value>,
  { signal, timeoutMs, late }: WaitLimits,
): Promise<Value> {
  let stop: (() => void) | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    const abort = (): void => {
      reject(signal?.reason as Error)
    }
    const timer =
      timeoutMs > MAX_TIMER_MS
        ? undefined
        : setTimeout(() => {
            reject(late())
          }, timeoutMs)
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
  try {
    return await Promise.race([limit, promise])
  } finally {
    stop?.()
  }
}
