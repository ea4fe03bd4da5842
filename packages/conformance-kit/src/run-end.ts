import { setMaxListeners } from 'node:events'
import { budgetExceeded } from './errors.js'

/** The end of a run: its deadline, or an abort by its caller. */
export class RunEnd {
  readonly #deadline = new AbortController()
  /** Keeps the process only while somebody waits, so that a run that is not closed does not. */
  readonly #timer: NodeJS.Timeout
  /** Those who wait for something, to be told of the end: one listener serves them all. */
  readonly #waiting = new Set<(reason: unknown) => void>()
  /** Aborted by the caller, or by the deadline with a `budget_exceeded` error. */
  readonly signal: AbortSignal

  constructor(deadlineMs: number, callersSignal: AbortSignal | undefined) {
    const { signal } = this.#deadline
    this.signal = callersSignal === undefined ? signal : AbortSignal.any([callersSignal, signal])
    // Every request under way listens, and how many those are is up to the checks.
    setMaxListeners(0, this.signal)
    this.#timer = setTimeout(() => {
      this.#deadline.abort(budgetExceeded('deadlineMs', `The run has used up its ${deadlineMs} ms.`))
    }, deadlineMs).unref()
  }

  /** What the work comes to; rejects with the reason of the end if that is first, even if the work goes on. */
  async before<Value>(work: () => Promise<Value>): Promise<Value> {
    let stopWaiting: (reason: unknown) => void = () => undefined
    try {
      return await new Promise<Value>((resolve, reject) => {
        stopWaiting = reject
        this.#watch(reject)
        work().then(resolve, reject)
      })
    } finally {
      this.#unwatch(stopWaiting)
    }
  }

  /** Stops the clock. */
  close(): void {
    clearTimeout(this.#timer)
  }

  #watch(stopWaiting: (reason: unknown) => void): void {
    if (this.#waiting.size === 0) {
      this.signal.addEventListener('abort', this.#stopAll)
      this.#timer.ref()
    }
    this.#waiting.add(stopWaiting)
  }

  #unwatch(stopWaiting: (reason: unknown) => void): void {
    this.#waiting.delete(stopWaiting)
    if (this.#waiting.size > 0) return
    this.signal.removeEventListener('abort', this.#stopAll)
    this.#timer.unref()
  }

  readonly #stopAll = (): void => {
    for (const stopWaiting of this.#waiting) stopWaiting(this.signal.reason)
  }
}
