/** One call into the application for all who want its result meanwhile; it is aborted when every one of them has gone. */
export class SharedCall<Result> {
  readonly #result: Promise<Result>
  readonly #abort: AbortController
  #waiting = 0

  /** @param abort ends the work behind `result` */
  constructor(result: Promise<Result>, abort: AbortController) {
    this.#result = result
    this.#abort = abort
  }

  get isAbandoned(): boolean {
    return this.#abort.signal.aborted
  }

  /** Whoever has no signal waits to the end. */
  join(signal: AbortSignal | undefined): Promise<Result> {
    this.#waiting++
    if (signal !== undefined) this.#leaveWith(signal)
    return this.#result
  }

  #leaveWith(signal: AbortSignal): void {
    const leave = (): void => {
      if (--this.#waiting === 0) this.#abort.abort()
    }
    const stay = (): void => {
      signal.removeEventListener('abort', leave)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    this.#result.then(stay, stay)
  }
}
