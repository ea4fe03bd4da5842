/** A link-value that leads to the manifest. */
export interface ManifestLink {
  readonly target: string
  /** Whether it has the relation and the type of the specification. */
  readonly isRight: boolean
}

const LINK_VALUE = /<([^<>]*)>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/g

/** Those of a Link field (RFC 8288, section 3) whose relation is that of a manifest, in this draft or an earlier one. */
export function manifestLinks(field: string): readonly ManifestLink[] {
  return [...field.slice(0, MAX_FIELD_LENGTH).matchAll(LINK_VALUE)].flatMap(
    ([, target = '', parameters = '']) => {
      const given = [...parameters.matchAll(PARAMETER)].map(
        ([, name = '', quoted, bare]) => [name.toLowerCase(), (quoted ?? bare ?? '').toLowerCase()] as const,
      )
      const valueOf = (wanted: string): string => given.find(([name]) => name === wanted)?.[1] ?? ''
      const relations = valueOf('rel').split(/\s+/)
      if (!relations.includes('ahp-manifest') && !relations.includes('agent-manifest')) return []
      const isRight = relations.includes('ahp-manifest') && valueOf('type') === 'application/agent+json'
      return [{ target, isRight }]
    },
  )
}

const MAX_FIELD_LENGTH = 8_192
