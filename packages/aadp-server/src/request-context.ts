import type { UpstreamContext } from './resource-config.js'

/** The parts of a request that a response depends on. A Fetch `Request` is one; anything cheaper will do. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query as received, or an absolute URL, whose scheme and host are not looked at. */
  readonly url: string
  readonly headers: { get(name: string): string | null }
  readonly signal: AbortSignal
  /** The request for the application, which may be built on first use. */
  readonly request?: Request | undefined
}

/** What one request, or one direct call, brings along. */
export interface RequestContext {
  /** One id for all faults of this request, made on first use. */
  readonly requestId: string
  readonly incoming: Pick<IncomingRequest, 'headers' | 'signal' | 'request'> | undefined
}

export function createRequestContext(
  incoming: RequestContext['incoming'],
  makeRequestId: () => string,
): RequestContext {
  let requestId: string | undefined
  return {
    incoming,
    get requestId() {
      return (requestId ??= makeRequestId())
    },
  }
}

/** Arguments for the application; `signal` and `request` are looked up only if it reads them. */
export function upstreamArguments<Extra extends object>(
  context: RequestContext,
  locale: string | undefined,
  extra: Extra,
  deadline?: AbortSignal,
): Extra & UpstreamContext {
  const { incoming } = context
  const lookUps = {
    get signal() {
      return joinSignals(incoming?.signal, deadline)
    },
    get request() {
      return incoming?.request
    },
  }
  const args = Object.defineProperties({ ...extra }, Object.getOwnPropertyDescriptors(lookUps))
  return (locale === undefined ? args : Object.assign(args, { locale })) as Extra & UpstreamContext
}

function joinSignals(requester: AbortSignal | undefined, deadline: AbortSignal | undefined): AbortSignal {
  if (requester !== undefined && deadline !== undefined) return AbortSignal.any([requester, deadline])
  return requester ?? deadline ?? new AbortController().signal
}
