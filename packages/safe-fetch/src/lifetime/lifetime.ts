import { addAbortListener, removeAbortListener } from './abort-listener.js'
import { SafeFetchError } from '../errors.js'

/**
 * How long a call may live: one timer and the caller's signal, whatever the number of hops and attempts. What is under way watches, and is told the reason when the life ends before it is done.
 */
export class Lifetime {
  readonly #endsAtMs: number
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  /** Few, and replaced rather than changed: they come and go while they are told. */
  #watchers: readonly ((reason: unknown) => void)[] = []
  #over: { readonly reason: unknown } | undefined

  /** Throws the signal's reason if it is aborted already. */
  constructor(timeoutMs: number, signal?: AbortSignal, code: 'timeout' | 'attempt_timeout' = 'timeout') {
    // Not throwIfAborted: a polyfill may lack it.
    if (signal?.aborted === true) throw signal.reason
    this.#endsAtMs = performance.now() + timeoutMs
    this.#timer = setTimeout(() => {
      this.end(new SafeFetchError(code, `The call took longer than ${timeoutMs} ms.`, { timeoutMs }))
    }, timeoutMs)
    this.#signal = signal
    if (signal) addAbortListener(signal, this.#onAbort)
  }

  get remainingMs(): number {
    return this.#endsAtMs - performance.now()
  }

  /** True of what the caller's signal is aborted with. */
  isOfCaller(reason: unknown): boolean {
    return this.#signal?.aborted === true && this.#signal.reason === reason
  }

  /** From here on the timer alone keeps no process alive: what is still under way does that itself. */
  unref(): void {
    this.#timer.unref()
  }

  watch(watcher: (reason: unknown) => void): void {
    if (this.#over) watcher(this.#over.reason)
    else this.#watchers = [...this.#watchers, watcher]
  }

  unwatch(watcher: (reason: unknown) => void): void {
    this.#watchers = this.#watchers.filter((other) => other !== watcher)
  }

  /** The promise, or a rejection with the reason if the life ends first. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    let stop: ((reason: unknown) => void) | undefined
    try {
      return await Promise.race([
        promise,
        new Promise<never>((_resolve, reject) => {
          stop = reject
          this.watch(reject)
        }),
      ])
    } finally {
      if (stop) this.unwatch(stop)
    }
  }

  /** The first call counts: no timer and no listener stays, and whoever still watches is told. */
  end(reason?: unknown): void {
    if (this.#over) return
    this.#over = { reason }
    clearTimeout(this.#timer)
    if (this.#signal) removeAbortListener(this.#signal, this.#onAbort)
    for (const watcher of this.#watchers) watcher(reason)
    this.#watchers = []
  }

  readonly #onAbort = (): void => {
    this.end(this.#signal?.reason)
  }
}
