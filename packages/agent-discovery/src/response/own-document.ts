import { findingOf } from '../kinds/finding-of.js'
import type { Identification, NamedResource } from '../kinds/identification.js'
import type { Claim, ResourceSet } from '../resources/resource-set.js'

/** Whether a document that was asked for by its own URL is one for agents, broken or not. */
export function isForAgents({ kind, verdict, signature }: Identification): boolean {
  if (kind === 'linked-resource' || kind === 'unknown-json') return false
  return verdict !== 'invalid' || signature.length > 0
}

/** Adds a document that the response itself is. */
export function addOwnDocument(
  set: ResourceSet,
  url: string,
  found: Identification,
  mediaType: string | undefined,
): void {
  set.claim({ url, kind: found.kind, source: { name: 'response' } })
  set.find(url, findingOf(found, mediaType))
}

/** The claim that a document makes about another. */
export function namedClaim(item: NamedResource, document: string): Claim {
  const { via, ...claim } = item
  return { ...claim, source: { name: 'document', document, via } }
}
