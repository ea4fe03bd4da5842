import type { AskCall, ConverseCall } from './converse-call.js'
import type { CoreRequest } from './core-message.js'
import type { Caller } from './identify-caller.js'

/**
 * Who asks over HTTP, and on what terms. The signal is made when somebody asks for it. It is a class because V8 makes a new
 * shape for every evaluation of an object literal with a getter.
 */
export class HttpAskCall implements AskCall {
  readonly caller: Caller
  readonly #http: CoreRequest

  constructor(caller: Caller, http: CoreRequest) {
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

/** A call that came over HTTP. */
export class HttpCall extends HttpAskCall implements ConverseCall {
  readonly request: unknown

  constructor(request: unknown, caller: Caller, http: CoreRequest) {
    super(caller, http)
    this.request = request
  }
}
