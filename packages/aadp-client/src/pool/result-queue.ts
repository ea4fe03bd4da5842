import { Fifo } from './fifo.js'
import type { Held } from './read-ahead.js'

/** How an iteration ends: what it returns, and what it throws before that, if anything. */
export interface Ending<Summary> {
  readonly summary: Summary
  readonly failure?: { readonly error: unknown }
}

interface Waiter<Result, Summary> {
  resolve(result: IteratorResult<Result, Summary>): void
  reject(error: unknown): void
}

/** Results that a consumer can have, or its calls that wait for them. */
export class ResultQueue<Result, Summary> {
  readonly #ready = new Fifo<Held<Result>>()
  readonly #waiters = new Fifo<Waiter<Result, Summary>>()
  readonly #onTaken: (held: Held<Result>) => void

  /** `onTaken` is told of each result that reaches the consumer. */
  constructor(onTaken: (held: Held<Result>) => void) {
    this.#onTaken = onTaken
  }

  /** Results that are there. */
  get size(): number {
    return this.#ready.size
  }

  /** Whether the consumer waits. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0
  }

  push(held: Held<Result>): void {
    this.#ready.push(held)
  }

  clear(): void {
    this.#ready.clear()
  }

  next(): Promise<IteratorResult<Result, Summary>> {
    const held = this.isAwaited ? undefined : this.#take()
    if (held) return Promise.resolve({ done: false, value: held.result })
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
    })
  }

  /** Results that are there already, up to a number. */
  takeReady(limit: number): Result[] {
    const results: Result[] = []
    while (results.length < limit) {
      const held = this.#take()
      if (!held) break
      results.push(held.result)
    }
    return results
  }

  /** Hands what is there to those who wait. */
  deliver(): void {
    while (this.isAwaited) {
      const held = this.#take()
      if (!held) return
      this.#waiters.shift()?.resolve({ done: false, value: held.result })
    }
  }

  /** Tells everybody who waits that nothing comes any more; `finish` is asked for each. */
  end(finish: () => Ending<Summary>): void {
    for (let waiter = this.#waiters.shift(); waiter; waiter = this.#waiters.shift()) {
      const { summary, failure } = finish()
      if (failure) waiter.reject(failure.error)
      else waiter.resolve({ done: true, value: summary })
    }
  }

  #take(): Held<Result> | undefined {
    const held = this.#ready.shift()
    if (held) this.#onTaken(held)
    return held
  }
}
