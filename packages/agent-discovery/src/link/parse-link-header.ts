import { checkOption, isRecord, isTexts } from '../options/check-option.js'
import { integerOption } from '../options/integer-option.js'
import { parseRelations } from './relation.js'
import { cleanText } from '../text/untrusted-text.js'
import { baseUrl, resolveWebUrl, type UrlProblem } from '../url/web-url.js'
import { decodeExtendedValue } from './extended-value.js'
import type { LinkParameter, LinkWarning } from './link-parameter.js'
import { scanLinks, type LinkToken } from './link-scanner.js'

/** One link-value. A link with several relation types is one `Link` with several `rels`. */
export interface Link {
  /** The absolute target, fragment included. */
  readonly url: string
  /** The target as written. */
  readonly target: string
  /** Relation types, compared form (lower case, registered ones by short name), at least one. */
  readonly rels: readonly string[]
  /** The absolute URL that the link is about: the response's, unless `anchor` names another. */
  readonly context: string
  /** The context lies on another origin: a claim about somebody else. */
  readonly foreignContext: boolean
  /** `title*` if it can be decoded, else `title`; cleaned, at most 200 characters. */
  readonly title?: string
  readonly titleLanguage?: string
  /** The media type hint, lower case. */
  readonly type?: string
  readonly hreflang?: string
  readonly media?: string
  /** Every parameter in order, repeated ones included. */
  readonly parameters: readonly LinkParameter[]
  readonly warnings: readonly LinkWarning[]
}

/** Why a link-value was left out. */
export type LinkDropReason = UrlProblem | 'no-rel' | 'malformed' | 'invalid-anchor' | 'cut-off'

/** A link-value that was left out, and why. */
export interface DroppedLink {
  /** The target, or the text that is no link; cleaned, at most 200 characters. */
  readonly text: string
  readonly reason: LinkDropReason
}

/** The links of a `Link` field (RFC 8288). */
export interface LinkHeader {
  readonly links: readonly Link[]
  readonly dropped: readonly DroppedLink[]
  /** A limit was reached: links may be missing. */
  readonly truncated: boolean
}

/** Options of `parseLinkHeader`. */
export interface ParseLinkHeaderOptions {
  /** The final URL of the response. Targets resolve against it, never against an HTML `<base>` (RFC 8288, B.2). */
  readonly url: string | URL
  /** Link-values read, good or bad. Default 200. */
  readonly maxLinks?: number
  /** Characters read, over all field lines. Default 65 536. */
  readonly maxLength?: number
}

const MAX_TEXT = 200

/**
 * Parses the `Link` field (RFC 8288): one value, as `Headers.get` gives it, or all field lines. Never throws on field
 * content; the work is linear in its length.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function parseLinkHeader(
  field: string | readonly string[],
  options: ParseLinkHeaderOptions,
): LinkHeader {
  checkOption('field', typeof field === 'string' || isTexts(field), 'a text or a list of texts')
  checkOption('options', isRecord(options), 'an object')
  const base = baseUrl(options.url)
  const maxLinks = integerOption('maxLinks', options.maxLinks, 200)
  const maxLength = integerOption('maxLength', options.maxLength, 65_536)
  const whole = typeof field === 'string' ? field : field.join(', ')
  const text = whole.slice(0, maxLength)

  const links: Link[] = []
  const dropped: DroppedLink[] = []
  let truncated = text.length < whole.length
  let count = 0
  for (const token of scanLinks(text)) {
    if (count++ === maxLinks) {
      truncated = true
      break
    }
    const link = toLink(token, base)
    if ('reason' in link) dropped.push(link)
    else links.push(link)
  }
  if (text.length < whole.length && count <= maxLinks) dropCutLink(links, dropped)
  return { links, dropped, truncated }
}

/** The last link before a cut may lack its end; what it lacks could change its meaning. */
function dropCutLink(links: Link[], dropped: DroppedLink[]): void {
  const last = links.pop()
  if (last) dropped.push({ text: cleanText(last.target, MAX_TEXT), reason: 'cut-off' })
}

function toLink(token: LinkToken, base: URL): Link | DroppedLink {
  if ('malformed' in token) return { text: cleanText(token.malformed, MAX_TEXT), reason: 'malformed' }
  const { target, parameters } = token
  const drop = (reason: LinkDropReason): DroppedLink => ({ text: cleanText(target, MAX_TEXT), reason })

  const rels = parseRelations(first(parameters, 'rel') ?? '')
  if (rels.length === 0) return drop('no-rel')
  const resolved = resolveWebUrl(target, base)
  if ('problem' in resolved) return drop(resolved.problem)
  const anchor = resolveWebUrl(first(parameters, 'anchor') ?? '', base)
  if ('problem' in anchor) return drop('invalid-anchor')

  const title = readTitle(parameters)
  const warnings = [...token.warnings, ...(title.undecodable ? (['undecodable-title'] as const) : [])]
  if (hasRepeated(parameters)) warnings.push('repeated-parameter')
  return {
    url: resolved.url.href,
    target,
    rels,
    context: anchor.url.href,
    foreignContext: anchor.url.origin !== base.origin,
    ...(title.text && { title: title.text }),
    ...(title.language && { titleLanguage: title.language }),
    ...optional('type', first(parameters, 'type')?.trim().toLowerCase()),
    ...optional('hreflang', first(parameters, 'hreflang')),
    ...optional('media', first(parameters, 'media')),
    parameters,
    warnings,
  }
}

function optional<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  return (value ? { [name]: cleanText(value, MAX_TEXT) } : {}) as Partial<Record<Name, string>>
}

/** Later ones of a name are ignored (RFC 8288, 3.3 and 3.4.1). */
function first(parameters: readonly LinkParameter[], name: string): string | undefined {
  return parameters.find((parameter) => parameter.name === name)?.value
}

const ONCE: ReadonlySet<string> = new Set(['rel', 'anchor', 'title', 'title*', 'type', 'media'])

function hasRepeated(parameters: readonly LinkParameter[]): boolean {
  const names = parameters.map(({ name }) => name).filter((name) => ONCE.has(name))
  return new Set(names).size < names.length
}

function readTitle(parameters: readonly LinkParameter[]): {
  text?: string
  language?: string
  undecodable: boolean
} {
  const plain = first(parameters, 'title')
  const extended = first(parameters, 'title*')
  const decoded = extended === undefined ? undefined : decodeExtendedValue(extended)
  const undecodable = extended !== undefined && decoded === undefined
  if (decoded) return { ...decoded, text: cleanText(decoded.text, MAX_TEXT), undecodable }
  return plain === undefined ? { undecodable } : { text: cleanText(plain, MAX_TEXT), undecodable }
}
