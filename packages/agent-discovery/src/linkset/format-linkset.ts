import { checkOption, isRecord } from '../options/check-option.js'

/** The target of a link to write into a linkset. */
export interface LinksetTarget {
  readonly href: string
  readonly type?: string
  readonly title?: string
  readonly hreflang?: readonly string[]
}

/** Links of one context: relation type to targets. */
export interface LinksetContext {
  readonly anchor: string
  readonly links: ReadonlyMap<string, readonly LinksetTarget[]>
}

/**
 * The JSON document of a linkset (RFC 9264, 4.2).
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function formatLinkset(contexts: readonly LinksetContext[]): { readonly linkset: readonly object[] } {
  const areContexts =
    Array.isArray(contexts) &&
    Array.from(contexts as unknown[]).every((context) => isRecord(context) && context['links'] instanceof Map)
  checkOption('contexts', areContexts, 'a list of objects with an anchor and a map of links')
  return { linkset: contexts.map(({ anchor, links }) => ({ anchor, ...Object.fromEntries(links) })) }
}
