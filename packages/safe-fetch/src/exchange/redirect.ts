import { checkUrl, displayUrl, hostOf, portOf } from '../guard/check-url.js'
import { SafeFetchError } from '../errors.js'
import { forOtherOrigin, withoutBodyFields } from '../header-list.js'
import type { Hop, HopRequest } from './hop.js'
import type { Policy } from '../options/options.js'

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * True for a response that ends a chain. Where redirects are followed a redirect status without Location does, where they
 * are an error none does (Fetch standard, "HTTP fetch" and "HTTP-redirect fetch").
 */
export function isFinal(hop: Hop, mode: 'follow' | 'error' | 'manual'): boolean {
  if (mode === 'manual' || !REDIRECT_STATUSES.has(hop.status)) return true
  return mode === 'follow' && locationsOf(hop).length === 0
}

/** The next request of a chain by the Fetch standard ("HTTP-redirect fetch"), judged like a first one. */
export function followRedirect(request: HopRequest, hop: Hop, policy: Policy): HopRequest {
  const { status } = hop
  const url = parseLocation(locationsOf(hop), request.url)
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

/** The different Locations of a redirect. */
function locationsOf({ headers }: Hop): readonly string[] {
  const location = Object.hasOwn(headers, 'location') ? headers['location'] : undefined
  return [...new Set(typeof location === 'string' ? [location] : location)]
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
