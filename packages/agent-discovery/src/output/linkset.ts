import type { Kind } from '../resources/kind.js'
import { formatLinkset, type LinksetTarget } from '../linkset/format-linkset.js'
import type { Resource } from '../resources/resource.js'

/** Relation types that say what a kind is; everything else is an `item`. */
const RELATIONS: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  ['openapi', 'service-desc'],
  ['api-description', 'service-desc'],
  ['api-documentation', 'service-doc'],
  ['service-metadata', 'service-meta'],
  ['service-status', 'status'],
  ['api-catalog', 'api-catalog'],
  ['llms-txt', 'describedby'],
  ['markdown', 'alternate'],
  ['rsl-license', 'license'],
  ['ahp-manifest', 'ahp-manifest'],
  ['ai-catalog', 'ard'],
])

const MISSING: ReadonlySet<string> = new Set(['absent', 'soft-404', 'invalid'])

/** The result as a linkset (RFC 9264): what there is and what is claimed, but not what was found missing. */
export function toLinkset(result: { readonly finalUrl: string; readonly resources: readonly Resource[] }): {
  readonly linkset: readonly object[]
} {
  const links = new Map<string, LinksetTarget[]>()
  for (const { kind, url, mediaType, title, state } of result.resources) {
    if (MISSING.has(state)) continue
    const relation = RELATIONS.get(kind) ?? 'item'
    const target = {
      href: url,
      ...(mediaType !== undefined && { type: mediaType }),
      ...(title !== undefined && { title }),
    }
    links.set(relation, [...(links.get(relation) ?? []), target])
  }
  return formatLinkset([{ anchor: result.finalUrl, links }])
}
