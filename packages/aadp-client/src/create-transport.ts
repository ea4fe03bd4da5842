import {
  isSafeFetchError,
  safeFetch,
  type SafeFetchErrorCode,
  type SafeRequestInit,
} from '@doorplate/safe-fetch'
import { AadpTransportError, type TransportErrorCode } from './errors.js'
import { followWithFetch } from './follow-with-fetch.js'
import type { FetchLike, Transport, TransportRequest } from './transport.js'

/** The transport over a `fetch`; without one, over the shared strict safe-fetch. */
export function createTransport(fetch: FetchLike | undefined): Transport {
  const chosen = fetch ?? safeFetch
  return isLean(chosen)
    ? (url, request) => chosen.request(url, initOf(request))
    : (url, request) => followWithFetch(chosen, url, request)
}

type Lean = Pick<typeof safeFetch, 'request'>

function isLean(fetch: FetchLike | Lean): fetch is Lean {
  return Object.hasOwn(fetch, 'request')
}

function initOf(request: TransportRequest): SafeRequestInit {
  const { publicHeaders, scopedHeaders, signal, timeoutMs, maxResponseBytes, maxRedirects } = request
  const headers = scopedHeaders ? { ...publicHeaders, ...scopedHeaders } : publicHeaders
  return { headers, timeoutMs, maxResponseBytes, maxRedirects, signal }
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
