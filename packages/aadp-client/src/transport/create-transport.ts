import {
  isSafeFetchError,
  safeFetch,
  type SafeFetchErrorCode,
  type SafeRequestInit,
} from '@doorplate/safe-fetch'
import { AadpTransportError, type TransportErrorCode } from '../errors.js'
import { followWithFetch } from './follow-with-fetch.js'
import type { FetchLike, Transport, TransportRequest } from './transport.js'

/** The transport over a `fetch`; without one, over the shared strict safe-fetch. */
export function createTransport(fetch: FetchLike | undefined): Transport {
  const chosen = fetch ?? safeFetch
  if (!isLean(chosen)) return (url, request) => followWithFetch(chosen, url, request)
  const initOf = createInitMaker()
  return (url, request) => chosen.request(url, initOf(request))
}

type Lean = Pick<typeof safeFetch, 'request'>

function isLean(fetch: FetchLike | Lean): fetch is Lean {
  return Object.hasOwn(fetch, 'request')
}

/** The requests of a run are mostly alike but for the URL: one frozen init serves them, and safe-fetch reads it once. */
function createInitMaker(): (request: TransportRequest) => SafeRequestInit {
  let made: { readonly from: TransportRequest; readonly init: SafeRequestInit } | undefined
  return (request) => {
    if (!made || !isAlike(made.from, request)) made = { from: request, init: makeInit(request) }
    return made.init
  }
}

function isAlike(one: TransportRequest, other: TransportRequest): boolean {
  return (
    one.publicHeaders === other.publicHeaders &&
    one.scopedHeaders === other.scopedHeaders &&
    one.timeoutMs === other.timeoutMs &&
    one.maxResponseBytes === other.maxResponseBytes &&
    one.maxRedirects === other.maxRedirects &&
    one.signal === other.signal &&
    one.onBytes === other.onBytes
  )
}

function makeInit(request: TransportRequest): SafeRequestInit {
  const { publicHeaders, scopedHeaders, ...limits } = request
  const headers = Object.freeze({ ...publicHeaders, ...scopedHeaders })
  return Object.freeze({ headers, ...limits })
}

/** What a transport rejected with, as an error of this package if it is no abort. */
export function transportError(error: unknown, url: string): unknown {
  if (!isSafeFetchError(error)) return error
  return new AadpTransportError(CODES[error.code] ?? 'network_error', url, { cause: error })
}

/** Codes of safe-fetch that say more than that the network failed. */
const CODES: Partial<Record<SafeFetchErrorCode, TransportErrorCode>> = {
  blocked: 'blocked_url',
  invalid_url: 'blocked_url',
  redirect_refused: 'blocked_url',
  invalid_redirect: 'blocked_url',
  too_many_redirects: 'too_many_redirects',
  redirect_loop: 'too_many_redirects',
  timeout: 'timeout',
  attempt_timeout: 'timeout',
  connect_timeout: 'timeout',
  response_too_large: 'response_too_large',
  response_headers_too_large: 'response_too_large',
}
