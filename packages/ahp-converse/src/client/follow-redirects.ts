import { siteUrl } from './site-url.js'
import { failed, type SingleRequest, type SingleResponse, type Transport } from './transport.js'

export interface FollowedRequest extends SingleRequest {
  /** Reach the origin of the URL only, and not after a redirect has left it. */
  readonly scopedHeaders: Readonly<Record<string, string>>
  readonly maxRedirects: number
  /** Follow no redirect to another origin. Default: a GET is. */
  readonly staysOnOrigin?: boolean
}

export interface Received extends SingleResponse {
  /** The final URL. */
  readonly url: string
}

/**
 * One exchange, redirects followed: a GET anywhere but from https to http, a POST only where method and body stay the same and
 * on the same origin, so that no redirect chooses who else reads a question.
 */
export async function followRedirects(
  transport: Transport,
  start: string,
  request: FollowedRequest,
): Promise<Received> {
  const { scopedHeaders, maxRedirects, staysOnOrigin = request.method === 'POST', ...single } = request
  let url = start
  let headers = { ...request.headers, ...scopedHeaders }
  for (let redirects = 0; ; redirects++) {
    const response = await transport(url, { ...single, headers })
    const location = REDIRECTS.has(response.status) ? response.headers['location'] : undefined
    if (location === undefined) return { ...response, url }
    const target = siteUrl(location, url)
    if (target === undefined) throw failed('blocked_url', url)
    const isSameOrigin = target.origin === new URL(url).origin
    const keepsMethod = request.method === 'GET' || KEEPS_METHOD.has(response.status)
    if (!keepsMethod || (staysOnOrigin && !isSameOrigin)) throw failed('blocked_url', url)
    if (redirects >= maxRedirects) throw failed('too_many_redirects', start)
    if (!isSameOrigin) headers = { ...request.headers }
    url = target.href
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308])
