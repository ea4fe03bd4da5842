import { checkOption, isRecord } from '../options/check-option.js'
import { baseUrl, resolveWebUrl } from '../url/web-url.js'
import type { Challenge } from './parse-www-authenticate.js'

/** Where the metadata of a protected resource is (RFC 9728). */
export interface ResourceMetadataUrl {
  readonly url: string
  /** It lies on another origin than the resource: do not fetch it without being asked to. */
  readonly crossOrigin: boolean
  readonly scheme: string
}

/**
 * Where protected-resource metadata lies (`resource_metadata`, RFC 9728, 5.1), over all challenges, in order.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function resourceMetadataUrls(
  challenges: readonly Challenge[],
  options: { readonly url: string | URL },
): readonly ResourceMetadataUrl[] {
  checkOption('options', isRecord(options), 'an object')
  const base = baseUrl(options.url)
  const found = new Map<string, ResourceMetadataUrl>()
  for (const { scheme, parameters } of challenges) {
    const reference = parameters.get('resource_metadata')?.trim() ?? ''
    const resolved = resolveWebUrl(reference, base)
    if (reference === '' || 'problem' in resolved) continue
    const { href, origin } = resolved.url
    if (!found.has(href)) found.set(href, { url: href, crossOrigin: origin !== base.origin, scheme })
  }
  return [...found.values()]
}
