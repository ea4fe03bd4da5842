import type { FaultListener, FaultSource } from '../errors/fault.js'
import type { GetArguments, ListArguments, UpstreamContext } from '../config/resource-config.js'

/** The parts of a request that a response depends on. A Fetch `Request` is one; anything cheaper will do. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query as received, or an absolute URL, whose scheme and host are not looked at. */
  readonly url: string
  readonly headers: { get(name: string): string | null }
  readonly signal: AbortSignal
  /** The request for the application, which may be built on first use. */
  readonly request?: Request | undefined
  /** Told, besides `onError` of the declaration, of each fault that is met in answering. */
  readonly onError?: FaultListener | undefined
}

type RequestParts = Pick<IncomingRequest, 'signal' | 'request' | 'onError'>

/** What one request, or one direct call, brings along. */
export class RequestContext implements FaultSource {
  readonly #incoming: RequestParts | undefined
  readonly #makeRequestId: () => string
  #requestId: string | undefined

  constructor(incoming: RequestParts | undefined, makeRequestId: () => string) {
    this.#incoming = incoming
    this.#makeRequestId = makeRequestId
  }

  get signal(): AbortSignal | undefined {
    return this.#incoming?.signal
  }

  get request(): Request | undefined {
    return this.#incoming?.request
  }

  get onError(): FaultListener | undefined {
    return this.#incoming?.onError
  }

  /** One id for all faults of this request, made on first use. */
  get requestId(): string {
    return (this.#requestId ??= this.#makeRequestId())
  }

  /** The same for work whose outcome others get as well: no request, and a signal that outlives this one. */
  shared(signal: AbortSignal): RequestContext {
    return new RequestContext({ signal, onError: this.onError }, () => this.requestId)
  }
}

/** Arguments of a call into the application; `signal` and `request` are looked up only if it reads them. */
export class UpstreamArguments implements UpstreamContext {
  declare readonly locale?: string
  readonly #context: RequestContext
  readonly #deadline: AbortSignal | undefined
  #signal: AbortSignal | undefined

  constructor(context: RequestContext, locale: string | undefined, deadline: AbortSignal | undefined) {
    this.#context = context
    this.#deadline = deadline
    if (locale !== undefined) this.locale = locale
  }

  /** The same one each time, so that a listener can be taken off again. */
  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#context.signal, this.#deadline))
  }

  get request(): Request | undefined {
    return this.#context.request
  }
}

function signalOf(requester: AbortSignal | undefined, deadline: AbortSignal | undefined): AbortSignal {
  if (requester !== undefined && deadline !== undefined) return AbortSignal.any([requester, deadline])
  return requester ?? deadline ?? new AbortController().signal
}

export class UpstreamListArguments extends UpstreamArguments implements ListArguments {
  readonly cursor: string | null
  readonly limit: number

  constructor(
    cursor: string | null,
    limit: number,
    context: RequestContext,
    locale: string | undefined,
    deadline: AbortSignal | undefined,
  ) {
    super(context, locale, deadline)
    this.cursor = cursor
    this.limit = limit
  }
}

export class UpstreamGetArguments extends UpstreamArguments implements GetArguments {
  readonly id: string

  constructor(
    id: string,
    context: RequestContext,
    locale: string | undefined,
    deadline: AbortSignal | undefined,
  ) {
    super(context, locale, deadline)
    this.id = id
  }
}
