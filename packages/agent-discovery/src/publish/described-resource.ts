import { AgentDiscoveryError } from '../errors.js'
import { checkOption } from '../options/check-option.js'
import { resolveWebUrl } from '../url/web-url.js'
import { PUBLICATIONS, publicationOf } from './publication.js'
import type { PublishedResource } from './site-description.js'

/** A resource of a description, checked and with its addresses. */
export interface DescribedResource extends PublishedResource {
  /** As given, if it is a path of this site; else absolute. */
  readonly reference: string
  readonly absolute: string
  readonly type: string | undefined
}

/** @throws {AgentDiscoveryError} `invalid_option` */
export function describeResource(resource: PublishedResource, index: number, site: URL): DescribedResource {
  const option = `resources[${index}]`
  if (!Object.hasOwn(PUBLICATIONS, resource.kind)) {
    throw new AgentDiscoveryError('invalid_option', `The kind of ${option} cannot be published.`, { option })
  }
  const { mediaType = '' } = resource
  checkOption(`${option}.mediaType`, /^[\x20-\x7e]*$/.test(mediaType), 'printable ASCII')
  const resolved = resolveWebUrl(resource.url, site)
  if ('problem' in resolved) {
    throw new AgentDiscoveryError(
      'invalid_option',
      `The URL of ${option} is unusable: ${resolved.problem}.`,
      { option },
    )
  }
  const { href, origin, pathname, search, hash } = resolved.url
  const reference = origin === site.origin ? pathname + search + hash : href
  return {
    ...resource,
    reference,
    absolute: href,
    type: resource.mediaType ?? publicationOf(resource.kind).mediaType,
  }
}
