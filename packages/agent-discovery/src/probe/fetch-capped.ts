import { isHtmlType, parseMediaType } from '../http/media-type.js'
import { discard, readPrefix } from '../http/read-body.js'
import { resolveWebUrl } from '../url/web-url.js'

export type Fetch = typeof globalThis.fetch

export interface CappedRequest {
  readonly fetch: Fetch
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly takeBytes: (wanted: number) => number
  /** Of an HTML body at most so much is read: where HTML is no answer, its beginning is enough to compare. */
  readonly maxHtmlBytes: number
  /** Redirects followed, on the same origin only. */
  readonly maxRedirects: number
  /** Takes one more request for a redirect; false if none is left. */
  readonly takeRequest: () => boolean
  readonly signal?: AbortSignal | undefined
}

export interface CappedResponse {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly mediaType: string | undefined
  readonly bytes: Uint8Array
  readonly truncated: boolean
  /** URLs after the first. */
  readonly redirects: readonly string[]
}

export type FetchFailure =
  | { readonly failure: 'timeout' | 'network' | 'blocked-by-policy'; readonly detail?: string }
  | {
      readonly failure:
        'redirect-cross-origin' | 'too-many-redirects' | 'invalid-redirect' | 'budget-exhausted'
      readonly location?: string
      readonly status: number
    }

/**
 * One request whose answer cannot cost more than its limits. Redirects are followed on the same origin only. Whatever
 * happens is a value, except an abort by the caller, which rejects with the signal's reason.
 */
export async function fetchCapped(
  url: string,
  request: CappedRequest,
): Promise<CappedResponse | FetchFailure> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
  try {
    return await follow(url, request, signal)
  } catch (error) {
    request.signal?.throwIfAborted()
    if (timeout.aborted) return { failure: 'timeout' }
    return failureOf(error)
  }
}

async function follow(
  start: string,
  request: CappedRequest,
  signal: AbortSignal,
): Promise<CappedResponse | FetchFailure> {
  const { fetch, method, headers } = request
  const redirects: string[] = []
  let url = start
  for (;;) {
    const response = await fetch(url, { method, headers, signal, redirect: 'manual', credentials: 'omit' })
    const { status } = response
    const location = status >= 300 && status < 400 ? response.headers.get('location') : null
    if (location === null) return await readResponse(url, response, redirects, request, signal)
    discard(response)
    const next = resolveWebUrl(location, url)
    if ('problem' in next) return { failure: 'invalid-redirect', status }
    if (next.url.origin !== new URL(start).origin)
      return { failure: 'redirect-cross-origin', location: next.url.href, status }
    if (redirects.length === request.maxRedirects)
      return { failure: 'too-many-redirects', location: next.url.href, status }
    if (!request.takeRequest()) return { failure: 'budget-exhausted', status }
    url = next.url.href
    redirects.push(url)
  }
}

async function readResponse(
  url: string,
  response: Response,
  redirects: readonly string[],
  request: CappedRequest,
  signal: AbortSignal,
): Promise<CappedResponse> {
  const mediaType = parseMediaType(response.headers.get('content-type'))?.essence
  const html = mediaType !== undefined && isHtmlType(mediaType)
  const { takeBytes } = request
  const maxBytes = html ? Math.min(request.maxBytes, request.maxHtmlBytes) : request.maxBytes
  const { bytes, truncated } = await readPrefix(response.body, { maxBytes, takeBytes, signal })
  return { url, status: response.status, headers: response.headers, mediaType, bytes, truncated, redirects }
}

function failureOf(error: unknown): FetchFailure {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined)
  if (code === 'blocked' || code === 'invalid_url') return { failure: 'blocked-by-policy' }
  if (code === 'timeout' || code === 'connect_timeout' || code === 'attempt_timeout')
    return { failure: 'timeout' }
  return code === undefined ? { failure: 'network' } : { failure: 'network', detail: code }
}

function codeOf(error: unknown): string | undefined {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code.toLowerCase().slice(0, 60) : undefined
}
