import { isSafeFetchError, safeFetch, type SafeFetchErrorCode } from '@doorplate/safe-fetch'
import { ConverseError, type VisitErrorCode } from '../converse-error.js'
import { collectBody } from './collect-body.js'
import { shownUrl } from './site-url.js'

/** A `fetch`. One made by `@doorplate/safe-fetch` is used through its lean `request`. */
export type FetchLike = (input: string, init: RequestInit) => Promise<Response>

/** One request, redirects not followed. */
export interface SingleRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly maxResponseBytes: number
  readonly signal: AbortSignal | undefined
}

export interface SingleResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Rejects with a `ConverseError`, or with the signal's own reason. */
export type Transport = (url: string, request: SingleRequest) => Promise<SingleResponse>

/** The transport over a `fetch`; without one, over the shared strict safe-fetch. */
export function createTransport(fetch: FetchLike | undefined): Transport {
  const chosen = fetch ?? safeFetch
  const send = isLean(chosen) ? leanly(chosen) : generally(chosen)
  return async (url, request) => {
    try {
      return await send(url, request)
    } catch (error) {
      request.signal?.throwIfAborted()
      throw transportError(error, url)
    }
  }
}

type Lean = Pick<typeof safeFetch, 'request'>

function isLean(fetch: FetchLike | Lean): fetch is Lean {
  return Object.hasOwn(fetch, 'request')
}

function leanly(fetch: Lean): Transport {
  return (url, request) => fetch.request(url, { ...request, redirect: 'manual' })
}

function generally(fetch: FetchLike): Transport {
  return async (url, { method, headers, body, timeoutMs, maxResponseBytes, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      const init = { method, headers, redirect: 'manual', signal: either } as const
      const response = await fetch(url, body === undefined ? init : { ...init, body })
      const received = await collectBody(response.body, maxResponseBytes)
      if (received === undefined) throw failed('response_too_large', url)
      return { status: response.status, headers: Object.fromEntries(response.headers), body: received }
    } catch (error) {
      if (timeout.aborted) throw failed('timeout', url, error)
      throw error
    }
  }
}

/** What a transport rejected with, as an error of this package. */
function transportError(error: unknown, url: string): ConverseError {
  if (error instanceof ConverseError) return error
  if (!isSafeFetchError(error)) return failed('network_error', url, error)
  if (error.reason === 'address' || error.reason === 'host_name') return notPublic(url, error)
  return failed(CODES[error.code] ?? 'network_error', url, error)
}

function notPublic(url: string, cause: unknown): ConverseError {
  const shown = shownUrl(url)
  const message = `Only public addresses are asked, unless dangerouslyAllow of createSafeFetch lists the host: ${shown}`
  return new ConverseError('blocked_url', message, { url: shown, cause })
}

/** Codes of safe-fetch that say more than that the network failed. */
const CODES: Partial<Record<SafeFetchErrorCode, FailureCode>> = {
  blocked: 'blocked_url',
  invalid_url: 'blocked_url',
  timeout: 'timeout',
  attempt_timeout: 'timeout',
  connect_timeout: 'timeout',
  response_too_large: 'response_too_large',
  response_headers_too_large: 'response_too_large',
}

type FailureCode = Extract<
  VisitErrorCode,
  'blocked_url' | 'network_error' | 'timeout' | 'too_many_redirects' | 'response_too_large'
>

const MESSAGES: Readonly<Record<FailureCode, string>> = {
  blocked_url: 'The URL may not be requested',
  network_error: 'The request failed',
  timeout: 'The request ran out of time',
  too_many_redirects: 'Too many redirects',
  response_too_large: 'The response is too large',
}

/** No usable response arrived. */
export function failed(code: FailureCode, url: string, cause?: unknown): ConverseError {
  const shown = shownUrl(url)
  const details = cause === undefined ? { url: shown } : { url: shown, cause }
  return new ConverseError(code, `${MESSAGES[code]}: ${shown}${reasonOf(code, cause)}`, details)
}

/** Why a network failed or a URL is refused: a wrong name, a wrong certificate and a wrong port take different hands to mend. */
function reasonOf(code: FailureCode, cause: unknown): string {
  if (!isSafeFetchError(cause)) return ''
  return code === 'network_error' || cause.code === 'blocked' ? `. ${cause.message}` : ''
}
