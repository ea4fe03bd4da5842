/** Collects what arrives in one turn of the event loop, and hands it on after the requests have left that it made room for. */
export class Arrivals<Arrival> {
  readonly #handle: (arrivals: readonly Arrival[]) => void
  #waiting: Arrival[] = []
  #turn: NodeJS.Immediate | undefined

  constructor(handle: (arrivals: readonly Arrival[]) => void) {
    this.#handle = handle
  }

  push(arrival: Arrival): void {
    this.#waiting.push(arrival)
    clearImmediate(this.#turn)
    this.#turn = setImmediate(this.#handOn)
  }

  readonly #handOn = (): void => {
    const arrivals = this.#waiting
    this.#waiting = []
    this.#handle(arrivals)
  }
}
