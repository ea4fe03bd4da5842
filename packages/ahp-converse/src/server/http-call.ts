import type { ConverseCall } from './converse-call.js'
import type { CoreRequest } from './core-message.js'
import type { Caller } from './identify-caller.js'

/**
 * A call that came over HTTP. Its signal is made when somebody asks for it. It is a class because V8 makes a new shape for
 * every evaluation of an object literal with a getter.
 */
export class HttpCall implements ConverseCall {
  readonly request: unknown
  readonly caller: Caller
  readonly #http: CoreRequest

  constructor(request: unknown, caller: Caller, http: CoreRequest) {
    this.request = request
    this.caller = caller
    this.#http = http
  }

  get idempotencyKey(): string | undefined {
    return this.#http.header('idempotency-key') ?? undefined
  }

  get signal(): AbortSignal {
    return this.#http.signal
  }
}
