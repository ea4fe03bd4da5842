import type { ProbeResponse, RequestPort } from '@doorplate/conformance-kit'
import type { RunSettings } from './options.js'

export interface HopRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

/** Sends one request within its time and gives a redirect back as it is. */
export type Hop = (request: HopRequest) => Promise<ProbeResponse>

/**
 * A port that follows redirects itself: whatever the transport is, each hop gets the headers that are meant for its
 * origin, so that those of the caller never travel to another one.
 */
export function followRedirects(
  hop: Hop,
  headersFor: (url: string) => Readonly<Record<string, string>>,
  { timeoutMs, maxRedirects }: RunSettings,
): RequestPort {
  return async (request) => {
    const endsAtMs = performance.now() + timeoutMs
    const { method = 'GET', body, signal, maxResponseBytes } = request
    let { url, headers: own } = request
    for (let redirects = 0; ; redirects++) {
      const headers = own === undefined ? headersFor(url) : { ...headersFor(url), ...own }
      const response = await hop({
        url,
        method,
        headers,
        body,
        signal,
        timeoutMs: Math.max(1, Math.ceil(endsAtMs - performance.now())),
        maxResponseBytes,
      })
      const location = response.headers['location']
      const isFinal = !REDIRECTS.has(response.status) || location === undefined
      if (isFinal || request.redirect === 'manual') return { ...response, url, redirected: redirects > 0 }
      if (redirects >= maxRedirects)
        throw failure('too_many_redirects', `There are more than ${maxRedirects} redirects.`)
      const next = targetOf(location, url)
      if (next.origin !== new URL(url).origin) own = undefined
      url = next.href
    }
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function targetOf(location: string, from: string): URL {
  if (!URL.canParse(location, from))
    throw failure('invalid_redirect', 'The redirect leads to a malformed URL.')
  const target = new URL(location, from)
  if (from.startsWith('https:') && target.protocol !== 'https:') {
    throw failure('redirect_refused', 'A redirect from https to another scheme is not followed.')
  }
  return target
}

/** An error as transports have them: with a code. */
export function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
