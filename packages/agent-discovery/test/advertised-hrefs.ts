const NAMES: ReadonlySet<string> = new Set(['ard', 'mcp'])

/** The test's own reading of one element: what it advertises to agents under the names that the fuzzer uses. */
export function advertisedHrefs(tag: string, attributes: ReadonlyMap<string, string>): readonly string[] {
  if (tag === 'link') {
    const rels =
      attributes
        .get('rel')
        ?.toLowerCase()
        .split(/[ \t\n\f\r]+/) ?? []
    const href = attributes.get('href')
    return href?.trim() && rels.some((rel) => NAMES.has(rel)) ? [href] : []
  }
  if (tag === 'meta' && NAMES.has(attributes.get('name')?.trim().toLowerCase() ?? '')) {
    const content = attributes.get('content')?.trim()
    return content ? [content] : []
  }
  return []
}
