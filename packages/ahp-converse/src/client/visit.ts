import { invalidOption } from '../converse-error.js'
import { findManifest } from './find-manifest.js'
import { Requester } from './requester.js'
import { Site } from './site.js'
import { webUrl } from './site-url.js'
import { resolveVisitOptions, type VisitOptions } from './visit-options.js'

/**
 * Visits the site at a URL: finds its manifest, at the well-known path, by the `Link` field, or by the notice in its page.
 *
 * @throws {ConverseError} `no_manifest`, `a2a_agent_card`, `rate_limited`, `invalid_option`, and whatever kept the site from
 * answering: `network_error`, `blocked_url`, `timeout`, ...
 */
export async function visit(url: string, options: VisitOptions = {}): Promise<Site> {
  const resolved = resolveVisitOptions(options)
  const start = typeof url === 'string' ? webUrl(url, url) : undefined
  if (!start)
    throw invalidOption('url', `must be an absolute http or https URL without a user name${hintFor(url)}`)
  start.hash = ''
  const requester = new Requester(resolved)
  const { discovery, headers } = resolved
  const found = await findManifest(start, { requester, discovery, headers, signal: options.signal })
  return new Site({ found, requester, origin: start.origin, options: resolved })
}

/** What was meant by a host without a scheme, which a program may not guess: the question may hold what others must not see. */
function hintFor(url: unknown): string {
  const isHost = typeof url === 'string' && /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/[^?#@]*)?$/i.test(url)
  return isHost && url.length < 200 ? `, such as https://${url}` : ''
}
