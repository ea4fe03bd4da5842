import { wellFormed } from '../text/untrusted-text.js'

/** One link to write. Values are checked: a line break, a `>` in the target or an unusable relation type is refused. */
export interface LinkToFormat {
  /** A URI reference; non-ASCII characters are percent-encoded. */
  readonly target: string
  readonly rels: readonly string[]
  readonly anchor?: string
  readonly type?: string
  readonly title?: string
  readonly hreflang?: string
}

/**
 * A `Link` field value (RFC 8288) of these links. A title outside ASCII is written as `title*` (RFC 8187).
 *
 * @throws {TypeError} when a value cannot be written
 */
export function formatLinkHeader(links: readonly LinkToFormat[]): string {
  return links.map(formatLink).join(', ')
}

function formatLink(link: LinkToFormat): string {
  if (link.rels.length === 0) throw new TypeError('A link needs a relation type.')
  const parameters = [
    parameter('rel', link.rels.map(checkRelation).join(' ')),
    link.anchor === undefined ? '' : parameter('anchor', encodeReference(link.anchor)),
    link.type === undefined ? '' : parameter('type', link.type),
    link.hreflang === undefined ? '' : parameter('hreflang', link.hreflang),
    link.title === undefined ? '' : titleParameter(link.title),
  ]
  return `<${encodeReference(link.target)}>${parameters.join('')}`
}

function checkRelation(relation: string): string {
  if (/^[a-zA-Z][\w.:/#?=&%+~-]*$/.test(relation)) return relation
  throw new TypeError('A relation type is a registered name or a URI.')
}

function titleParameter(title: string): string {
  if (/^[\t\x20-\x7e]*$/.test(title)) return parameter('title', title)
  const encoded = encodeURIComponent(wellFormed(title)).replace(/['()*]/g, percentEncode)
  return `; title*=UTF-8''${encoded}`
}

function parameter(name: string, value: string): string {
  if (!/^[\t\x20-\x7e]*$/.test(value)) throw new TypeError(`The ${name} of a link must be printable ASCII.`)
  return `; ${name}="${value.replace(/["\\]/g, (character) => `\\${character}`)}"`
}

/** Everything that may not stand in a URI reference, and `<` and `>`, is percent-encoded. */
function encodeReference(reference: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it refuses
  if (/[\u0000-\u001f\u007f]/.test(reference)) throw new TypeError('A link target has no control characters.')
  return encodeURI(wellFormed(reference))
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/%5B|%5D/g, decodeURIComponent)
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
