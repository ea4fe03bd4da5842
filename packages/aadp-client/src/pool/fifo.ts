/** First in, first out, in constant time; what has left is not kept alive. */
export class Fifo<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  peek(): T | undefined {
    return this.#items[this.#head]
  }

  shift(): T | undefined {
    const item = this.#items[this.#head]
    if (this.#head === this.#items.length) return undefined
    this.#items[this.#head++] = undefined
    if (this.#head * 2 > this.#items.length && this.#head >= 100) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  /** Drops an item and all after it. */
  cutAt(item: T): void {
    const position = this.#items.indexOf(item, this.#head)
    if (position >= 0) this.#items.length = position
  }

  clear(): void {
    this.#items = []
    this.#head = 0
  }
}
