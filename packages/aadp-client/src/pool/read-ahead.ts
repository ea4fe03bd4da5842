/** A result, and what it takes while it waits for the consumer. */
export interface Held<Result> {
  readonly result: Result
  /** Size of the response that it was made of. */
  readonly bytes: number
}

export interface ReadAheadLimits {
  /** Results begun or finished ahead of the consumer; an ordered pool may hold twice as many. */
  readonly readAhead: number
  /** Nothing is begun while what has arrived and waits for the consumer has so many bytes. */
  readonly readAheadBytes: number
}

/** How far a pool is ahead of its consumer. */
export class ReadAhead {
  readonly #limits: ReadAheadLimits
  /** Results begun or finished, not delivered. */
  #results = 0
  #bytes = 0

  constructor(limits: ReadAheadLimits) {
    this.#limits = limits
  }

  /** Whether nothing more is to be begun before the consumer takes something. */
  get isFull(): boolean {
    return this.#results >= this.#limits.readAhead || this.isHeavy
  }

  get isHeavy(): boolean {
    return this.#bytes >= this.#limits.readAheadBytes
  }

  begin(): void {
    this.#results++
  }

  arrive(bytes: number): void {
    this.#bytes += bytes
  }

  /** It has reached the consumer, or it gave nothing. */
  release({ bytes }: Pick<Held<unknown>, 'bytes'>): void {
    this.#results--
    this.#bytes -= bytes
  }
}
