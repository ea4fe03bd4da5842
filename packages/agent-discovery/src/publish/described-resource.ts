import { AgentDiscoveryError } from '../errors.js'
import { checkOptionNames, type MemberNames } from '../options/check-option-names.js'
import { isAbsentOr } from '../options/check-option.js'
import { didYouMean } from '../options/did-you-mean.js'
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

const NAMES: MemberNames<PublishedResource> = { kind: true, url: true, title: true, mediaType: true }

/** @throws {AgentDiscoveryError} `invalid_option` */
export function describeResource(resource: PublishedResource, index: number, site: URL): DescribedResource {
  const owner = `resources[${index}]`
  checkOptionNames(resource, NAMES, owner)
  const { kind, url, title, mediaType } = resource
  checkKind(kind, owner)
  checkMember('url', owner, typeof (url as unknown) === 'string', 'must be a text')
  checkMember('title', owner, isAbsentOr('string', title), 'must be a text')
  checkMember('mediaType', owner, isAbsentOr('string', mediaType), 'must be a text')
  checkMember('mediaType', owner, /^[\x20-\x7e]*$/.test(mediaType ?? ''), 'must be printable ASCII')
  const resolved = resolveWebUrl(url, site)
  if ('problem' in resolved) throw unusable('url', owner, `is unusable: ${resolved.problem}`)
  const { href, origin, pathname, search, hash } = resolved.url
  const reference = origin === site.origin ? pathname + search + hash : href
  return {
    ...resource,
    reference,
    absolute: href,
    type: mediaType ?? publicationOf(kind).mediaType,
  }
}

function checkKind(kind: unknown, owner: string): void {
  checkMember('kind', owner, typeof kind === 'string', 'must be a text')
  if (Object.hasOwn(PUBLICATIONS, kind as string)) return
  const kinds = Object.keys(PUBLICATIONS)
  const hint = didYouMean(kind as string, kinds) || ` These can: ${kinds.join(', ')}.`
  throw unusable('kind', owner, 'cannot be published', hint)
}

function checkMember(name: string, owner: string, isRight: boolean, fault: string): void {
  if (!isRight) throw unusable(name, owner, fault)
}

function unusable(name: string, owner: string, fault: string, hint = ''): AgentDiscoveryError {
  const message = `The ${name} of ${owner} ${fault}.${hint}`
  return new AgentDiscoveryError('invalid_option', message, { option: `${owner}.${name}` })
}
