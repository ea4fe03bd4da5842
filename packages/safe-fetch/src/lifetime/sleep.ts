import type { Lifetime } from './lifetime.js'

/** Waits, unless the life ends first; then rejects with its reason. */
export function sleep(delayMs: number, lifetime: Lifetime): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      lifetime.unwatch(stop)
      resolve()
    }, delayMs)
    function stop(reason: unknown): void {
      clearTimeout(timer)
      // An abort may have any reason.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(reason)
    }
    lifetime.watch(stop)
  })
}
