import type { RequestPort } from '../request-port.js'
import { transportFailure, type Hop } from './hop.js'

/** What following redirects may take. */
export interface RedirectLimits {
  /** Time for one request, redirects included. */
  readonly timeoutMs: number
  readonly maxRedirects: number
}

/**
 * A port that follows redirects itself: whatever the transport is, each hop gets the headers that are meant for its
 * origin, so that those of the caller never travel to another one; a body stays on its origin altogether. After 303,
 * and after 301 and 302 to a POST, the next request is a GET (Fetch, "HTTP-redirect fetch"), so that nothing is done twice.
 */
export function followRedirects(
  hop: Hop,
  headersFor: (url: string) => Readonly<Record<string, string>>,
  { timeoutMs, maxRedirects }: RedirectLimits,
): RequestPort {
  return async (request) => {
    const endsAtMs = performance.now() + timeoutMs
    const { signal, maxResponseBytes } = request
    let { url, headers: own, method = 'GET', body } = request
    let remainingMs = timeoutMs
    for (let redirects = 0; ; redirects++) {
      const headers = own === undefined ? headersFor(url) : { ...headersFor(url), ...own }
      const response = await hop({
        url,
        method,
        headers,
        body,
        signal,
        timeoutMs: remainingMs,
        maxResponseBytes,
      })
      const location = response.headers['location']
      const isFinal = !REDIRECTS.has(response.status) || location === undefined
      if (isFinal || request.redirect === 'manual')
        return redirects === 0 ? response : { ...response, redirected: true }
      if (redirects >= maxRedirects)
        throw transportFailure('too_many_redirects', `There are more than ${maxRedirects} redirects.`)
      const next = targetOf(location, url)
      if (becomesGet(response.status, method)) {
        method = 'GET'
        body = undefined
      }
      if (next.origin !== new URL(url).origin) {
        if (body !== undefined)
          throw transportFailure('redirect_refused', 'A body is not taken to another origin by a redirect.')
        own = undefined
      }
      url = next.href
      remainingMs = Math.max(1, Math.ceil(endsAtMs - performance.now()))
    }
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

function targetOf(location: string, from: string): URL {
  if (!URL.canParse(location, from))
    throw transportFailure('invalid_redirect', 'The redirect leads to a malformed URL.')
  const target = new URL(location, from)
  if (from.startsWith('https:') && target.protocol !== 'https:') {
    throw transportFailure('redirect_refused', 'A redirect from https to another scheme is not followed.')
  }
  return target
}
