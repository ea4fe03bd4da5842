import { checkOption, isAbsentOr, isRecord, isTexts } from '../options/check-option.js'
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
 * @throws {AgentDiscoveryError} `invalid_option` for a value that cannot be written
 */
export function formatLinkHeader(links: readonly LinkToFormat[]): string {
  checkOption('links', Array.isArray(links), 'a list')
  return Array.from(links, (link, index) => formatLink(link, `links[${index}]`)).join(', ')
}

function formatLink(link: LinkToFormat, place: string): string {
  checkOption(place, isRecord(link), 'an object')
  const { target, rels, anchor, type, hreflang, title } = link
  const areRelations = isTexts(rels) && rels.length > 0 && rels.every((relation) => RELATION.test(relation))
  checkOption(`${place}.rels`, areRelations, 'relation types: registered names or URIs, at least one')
  checkOption(`${place}.target`, isReference(target), 'a text without control characters')
  checkOption(
    `${place}.anchor`,
    anchor === undefined || isReference(anchor),
    'a text without control characters',
  )
  checkOption(`${place}.type`, type === undefined || isAscii(type), 'printable ASCII')
  checkOption(`${place}.hreflang`, hreflang === undefined || isAscii(hreflang), 'printable ASCII')
  checkOption(`${place}.title`, isAbsentOr('string', title), 'a text')
  const parameters = [
    parameter('rel', rels.join(' ')),
    anchor === undefined ? '' : parameter('anchor', encodeReference(anchor)),
    type === undefined ? '' : parameter('type', type),
    hreflang === undefined ? '' : parameter('hreflang', hreflang),
    title === undefined ? '' : titleParameter(title),
  ]
  return `<${encodeReference(target)}>${parameters.join('')}`
}

const RELATION = /^[a-zA-Z][\w.:/#?=&%+~-]*$/

function isAscii(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value)
}

function isReference(value: unknown): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what it refuses
  return typeof value === 'string' && !/[\u0000-\u001f\u007f]/.test(value)
}

function titleParameter(title: string): string {
  if (isAscii(title)) return parameter('title', title)
  const encoded = encodeURIComponent(wellFormed(title)).replace(/['()*]/g, percentEncode)
  return `; title*=UTF-8''${encoded}`
}

function parameter(name: string, value: string): string {
  return `; ${name}="${value.replace(/["\\]/g, (character) => `\\${character}`)}"`
}

/** Everything that may not stand in a URI reference, and `<` and `>`, is percent-encoded. */
function encodeReference(reference: string): string {
  return encodeURI(wellFormed(reference))
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/%5B|%5D/g, decodeURIComponent)
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
