/** Hands each item to whoever waits for its name, or keeps it until somebody does; of the kept ones the oldest are dropped. */
export class Mailbox<Item> {
  readonly #maxKept: number
  readonly #kept = new Map<string, Item>()
  readonly #waiting = new Map<string, Set<(item: Item) => void>>()

  constructor(maxKept: number) {
    this.#maxKept = maxKept
  }

  put(name: string, item: Item): void {
    const waiting = this.#waiting.get(name)
    if (waiting) {
      this.#waiting.delete(name)
      for (const resolve of waiting) resolve(item)
      return
    }
    this.#kept.set(name, item)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#maxKept && oldest !== undefined) this.#kept.delete(oldest)
  }

  /** Rejects with the signal's own reason when it aborts. */
  take(name: string, signal: AbortSignal | undefined): Promise<Item> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const kept = this.#kept.get(name)
      if (this.#kept.delete(name)) {
        resolve(kept as Item)
        return
      }
      const waiting = this.#waiting.get(name) ?? new Set()
      const give = (item: Item): void => {
        signal?.removeEventListener('abort', leave)
        resolve(item)
      }
      const leave = (): void => {
        waiting.delete(give)
        if (waiting.size === 0) this.#waiting.delete(name)
        reject(signal?.reason as Error)
      }
      this.#waiting.set(name, waiting.add(give))
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
