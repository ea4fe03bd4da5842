interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

/**
 * A least-recently-used cache bounded by the bytes its entries are said to hold. It keeps two generations: what is used
 * moves to the young one, and when that holds half of the bound it becomes the old one, whose unused entries are
 * dropped. A look-up thus costs one `Map.get`.
 */
export class ByteLruCache<Value> {
  readonly #maxGenerationBytes: number
  #young = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()
  #youngBytes = 0

  /** @param maxBytes 0 keeps nothing. */
  constructor(maxBytes: number) {
    this.#maxGenerationBytes = maxBytes / 2
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old === undefined) return undefined
    this.set(key, old.value, old.bytes)
    return old.value
  }

  /** An entry of more than half the bound is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.#youngBytes -= this.#young.get(key)?.bytes ?? 0
    this.#young.delete(key)
    this.#old.delete(key)
    if (bytes > this.#maxGenerationBytes) return
    if (this.#youngBytes + bytes > this.#maxGenerationBytes) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, { value, bytes })
    this.#youngBytes += bytes
  }
}
