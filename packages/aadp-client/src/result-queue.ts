interface Waiter<Result, Summary> {
  resolve(result: IteratorResult<Result, Summary>): void
  reject(error: unknown): void
}

/** Results on their way to the consumer, and the consumer's calls that wait for them. */
export class ResultQueue<Result, Summary> {
  #ready: Result[] = []
  #next = 0
  readonly #waiters: Waiter<Result, Summary>[] = []

  get size(): number {
    return this.#ready.length - this.#next
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0
  }

  /** Where results are added. */
  get end(): Result[] {
    return this.#ready
  }

  take(): Result {
    const result = this.#ready[this.#next++] as Result
    if (this.#next > 1_000 && this.#next * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#next)
      this.#next = 0
    }
    return result
  }

  drop(): void {
    this.#ready = []
    this.#next = 0
  }

  wait(): Promise<IteratorResult<Result, Summary>> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
    })
  }

  /** The call that has waited longest. */
  nextWaiter(): Waiter<Result, Summary> | undefined {
    return this.#waiters.shift()
  }
}
