import type { RequestPort } from '../request-log.js'
import { transportFailure, type Hop } from './hop.js'

export interface RedirectLimits {
  /** Time for one request, redirects included. */
  readonly timeoutMs: number
  readonly maxRedirects: number
}

/**
 * A port that follows redirects itself: whatever the transport is, each hop gets the headers that are meant for its
 * origin, so that those of the caller never travel to another one.
 */
export function followRedirects(
  hop: Hop,
  headersFor: (url: string) => Readonly<Record<string, string>>,
  { timeoutMs, maxRedirects }: RedirectLimits,
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
        throw transportFailure('too_many_redirects', `There are more than ${maxRedirects} redirects.`)
      const next = targetOf(location, url)
      if (next.origin !== new URL(url).origin) own = undefined
      url = next.href
    }
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function targetOf(location: string, from: string): URL {
  if (!URL.canParse(location, from))
    throw transportFailure('invalid_redirect', 'The redirect leads to a malformed URL.')
  const target = new URL(location, from)
  if (from.startsWith('https:') && target.protocol !== 'https:') {
    throw transportFailure('redirect_refused', 'A redirect from https to another scheme is not followed.')
  }
  return target
}
