import { checkUrl, displayUrl, hostOf, portOf } from './check-url.js'
import { SafeFetchError } from './errors.js'
import { forOtherOrigin, withoutBodyFields } from './header-list.js'
import type { Hop, HopRequest } from './hop.js'
import type { Policy } from './options.js'

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The different Locations of a redirect; none for a response that is final (a redirect status without Location is). */
export function redirectLocations(hop: Hop): readonly string[] {
  if (!REDIRECT_STATUSES.has(hop.status)) return []
  const location = Object.hasOwn(hop.headers, 'location') ? hop.headers['location'] : undefined
  return [...new Set(typeof location === 'string' ? [location] : location)]
}

/** The next request of a chain by the Fetch standard ("HTTP-redirect fetch"), judged like a first one. */
export function followRedirect(
  request: HopRequest,
  status: number,
  locations: readonly string[],
  policy: Policy,
): HopRequest {
  const url = parseLocation(locations, request.url)
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

/** More than one Location is an attempt to be read differently by different clients. */
function parseLocation([location = '', ...others]: readonly string[], base: URL): URL {
  // Header bytes arrive as latin1; non-ASCII in Location is UTF-8 in practice (Fetch standard, "location URL").
  const text = Buffer.from(location, 'latin1').toString()
  if (others.length === 0 && URL.canParse(text, base.href)) return new URL(text, base)
  throw new SafeFetchError('invalid_redirect', 'The redirect does not lead to one well-formed URL.', {
    url: displayUrl(base),
  })
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
