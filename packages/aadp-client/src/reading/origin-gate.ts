import { MAX_TIMER_MS } from '../waiting/max-timer.js'

/** How politely one origin is treated. */
export interface OriginGateOptions {
  /** Requests in flight to one origin. */
  readonly maxConcurrencyPerOrigin: number
  /** From the start of one request to an origin to the start of the next. */
  readonly minDelayPerOriginMs: number
  readonly now: () => number
}

interface Lock {
  running: number
  /** No request starts before this time. */
  openAtMs: number
  timer: NodeJS.Timeout | undefined
  readonly queue: Waiting[]
}

interface Waiting {
  readonly latestAtMs: number
  enter(): void
  refuse(): void
}

/** Lets requests to an origin through: so many at once, so far apart, and none while the origin asked to wait. */
export class OriginGate {
  readonly #options: OriginGateOptions
  readonly #locks = new Map<string, Lock>()

  constructor(options: OriginGateOptions) {
    this.#options = options
  }

  /**
   * `undefined` when the request may start now; otherwise a promise that resolves to whether it may, with `false` once it
   * is clear that it could not start by `latestAtMs`. Every entry is followed by one `leave`. Rejects with the signal's reason.
   */
  enter(origin: string, latestAtMs: number, signal: AbortSignal | undefined): Promise<boolean> | undefined {
    const lock = this.#lock(origin)
    if (lock.queue.length === 0 && this.#mayStart(lock)) {
      this.#begin(lock)
      return undefined
    }
    if (lock.openAtMs > latestAtMs) return Promise.resolve(false)
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const settle = (): void => {
        signal?.removeEventListener('abort', abort)
      }
      const waiting: Waiting = {
        latestAtMs,
        enter: () => {
          settle()
          resolve(true)
        },
        refuse: () => {
          settle()
          resolve(false)
        },
      }
      const abort = (): void => {
        lock.queue.splice(lock.queue.indexOf(waiting), 1)
        this.#advance(lock)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', abort, { once: true })
      lock.queue.push(waiting)
      this.#advance(lock)
    })
  }

  leave(origin: string): void {
    const lock = this.#lock(origin)
    lock.running--
    if (lock.queue.length > 0) this.#advance(lock)
  }

  /** Keeps requests from starting for a time, as a Retry-After asks. */
  pause(origin: string, delayMs: number): void {
    const lock = this.#lock(origin)
    lock.openAtMs = Math.max(lock.openAtMs, this.#options.now() + delayMs)
    if (lock.queue.length > 0) this.#advance(lock)
  }

  #lock(origin: string): Lock {
    let lock = this.#locks.get(origin)
    if (!lock) {
      lock = { running: 0, openAtMs: 0, timer: undefined, queue: [] }
      this.#locks.set(origin, lock)
    }
    return lock
  }

  #mayStart(lock: Lock): boolean {
    return (
      lock.running < this.#options.maxConcurrencyPerOrigin &&
      (lock.openAtMs === 0 || lock.openAtMs <= this.#options.now())
    )
  }

  #begin(lock: Lock): void {
    lock.running++
    const { minDelayPerOriginMs, now } = this.#options
    if (minDelayPerOriginMs > 0) lock.openAtMs = now() + minDelayPerOriginMs
  }

  #advance(lock: Lock): void {
    clearTimeout(lock.timer)
    lock.timer = undefined
    for (let index = 0; index < lock.queue.length;) {
      const waiting = lock.queue[index]
      if (waiting && waiting.latestAtMs < lock.openAtMs) {
        lock.queue.splice(index, 1)
        waiting.refuse()
      } else index++
    }
    while (lock.queue.length > 0 && this.#mayStart(lock)) {
      this.#begin(lock)
      lock.queue.shift()?.enter()
    }
    if (lock.queue.length > 0 && lock.running < this.#options.maxConcurrencyPerOrigin) {
      const delayMs = Math.min(lock.openAtMs - this.#options.now(), MAX_TIMER_MS)
      lock.timer = setTimeout(() => {
        this.#advance(lock)
      }, delayMs)
    }
  }
}
