/** The registered relation types can be written as URIs of their registry; both forms mean the same. */
const IANA_PREFIX =
  /^https?:\/\/www\.iana\.org\/assignments\/(?:relation\/|link-relations(?:\/(?:link-relations(?:-1)?\.(?:xhtml|xml))?)?#?)/

/** A relation type in the form in which types are compared: lower case (RFC 8288, 2.1), registered ones by short name. */
export function normalizeRelation(relation: string): string {
  return relation.toLowerCase().replace(IANA_PREFIX, '')
}

/** A relation type is a registered name or a URI: printable ASCII. What is longer says nothing to anybody. */
const RELATION = /^[\x21-\x7e]{1,200}$/
const MAX_RELATIONS = 32

/** The distinct relation types of a `rel` value, in order; at most 32. */
export function parseRelations(value: string): string[] {
  const tokens = value.split(/[ \t\n\f\r]+/).filter((token) => RELATION.test(token))
  const relations = new Set(tokens.map(normalizeRelation).filter((token) => token !== ''))
  return [...relations].slice(0, MAX_RELATIONS)
}
