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

/** The JSON document of a linkset (RFC 9264, 4.2). */
export function formatLinkset(contexts: readonly LinksetContext[]): { readonly linkset: readonly object[] } {
  return { linkset: contexts.map(({ anchor, links }) => ({ anchor, ...Object.fromEntries(links) })) }
}
