import { checkUrl, displayUrl, hostOf, parseUrl, portOf } from './check-url.js'
import { isSafeFetchError, SafeFetchError } from './errors.js'
import { forOtherOrigin, withoutBodyFields } from './header-list.js'
import type { Hop, HopRequest } from './hop.js'
import type { Policy } from './options.js'

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The Location of a redirect, or null for a response that is final (a redirect status without Location is). */
export function redirectLocation(hop: Hop): string | null {
  if (!REDIRECT_STATUSES.has(hop.status)) return null
  const location = Object.hasOwn(hop.headers, 'location') ? hop.headers['location'] : undefined
  if (location === undefined) return null
  return typeof location === 'string' ? location : location.join(', ')
}

/** The next request of a chain by the Fetch standard ("HTTP-redirect fetch"), judged like a first one. */
export function followRedirect(
  request: HopRequest,
  status: number,
  location: string,
  policy: Policy,
): HopRequest {
  const url = parseLocation(location, request.url)
  checkUrl(url, policy)
  checkDowngrade(request.url, url, policy)
  const becomesGet =
    (status === 303 && request.method !== 'GET' && request.method !== 'HEAD') ||
    ((status === 301 || status === 302) && request.method === 'POST')
  const headers = url.origin === request.url.origin ? request.headers : forOtherOrigin(request.headers)
  return becomesGet
    ? { url, method: 'GET', headers: withoutBodyFields(headers), body: null }
    : { url, method: request.method, headers, body: request.body }
}

function parseLocation(location: string, base: URL): URL {
  try {
    // Header bytes arrive as latin1; non-ASCII in Location is UTF-8 in practice (Fetch standard, "location URL").
    return parseUrl(Buffer.from(location, 'latin1').toString(), base)
  } catch (error) {
    const cause = isSafeFetchError(error) ? error.cause : error
    throw new SafeFetchError('invalid_redirect', 'The redirect leads to a malformed URL.', {
      url: displayUrl(base),
      cause,
    })
  }
}

function checkDowngrade(from: URL, to: URL, policy: Policy): void {
  if (from.protocol !== 'https:' || to.protocol !== 'http:') return
  const [host, port] = [hostOf(to), portOf(to)]
  if (policy.downgradeList.allowsHost(host, port) || policy.downgradeList.allowsAddress(host, port)) return
  throw new SafeFetchError('blocked', 'A redirect from https to http is refused.', {
    url: displayUrl(to),
    reason: 'downgrade',
  })
}
