/** The signal of one turn, made when somebody looks at it: most answers are there before anybody does. */
export class TurnSignal {
  readonly #visitor: () => AbortSignal | undefined
  #controller: AbortController | undefined
  #followed: AbortSignal | undefined
  readonly #follow = (): void => {
    this.#controller?.abort(this.#followed?.reason)
  }

  /** @param visitor gives the signal that aborts when the visitor is gone */
  constructor(visitor: () => AbortSignal | undefined) {
    this.#visitor = visitor
  }

  get signal(): AbortSignal {
    return this.#open().signal
  }

  /** True when the visitor is gone or the time is over. */
  get isOver(): boolean {
    return this.#controller?.signal.aborted === true
  }

  /** Calls back with the reason, at once if it is over already. */
  onAbort(listener: (reason: unknown) => void): void {
    const { signal } = this
    if (signal.aborted) listener(signal.reason)
    else
      signal.addEventListener('abort', () => {
        listener(signal.reason)
      })
  }

  abort(reason: unknown): void {
    this.#open().abort(reason)
  }

  /** Stops following the visitor, whose signal may live longer than the turn. */
  release(): void {
    this.#followed?.removeEventListener('abort', this.#follow)
  }

  #open(): AbortController {
    if (this.#controller !== undefined) return this.#controller
    this.#controller = new AbortController()
    this.#followed = this.#visitor()
    if (this.#followed?.aborted === true) this.#follow()
    else this.#followed?.addEventListener('abort', this.#follow)
    return this.#controller
  }
}
