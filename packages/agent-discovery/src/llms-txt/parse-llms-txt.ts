import { checkOption, isRecord } from '../options/check-option.js'
import { integerOption } from '../options/integer-option.js'
import { cleanText } from '../text/untrusted-text.js'
import { baseUrl, resolveWebUrl } from '../url/web-url.js'
import { wholeLines } from '../text/whole-lines.js'

/** A list item of an llms.txt. */
export interface LlmsTxtLink {
  readonly title: string
  readonly url: string
  readonly notes?: string
}

/** A section of an llms.txt. */
export interface LlmsTxtSection {
  readonly name: string
  /** The section that a reader with little room may leave out. */
  readonly optional: boolean
  /** May be empty: a section without links is legal. */
  readonly links: readonly LlmsTxtLink[]
}

/** What an llms.txt says. */
export interface LlmsTxt {
  /** The heading, the only part that must be there; undefined means that this is no llms.txt. */
  readonly title?: string
  readonly summary?: string
  /** Links before the first section. */
  readonly links: readonly LlmsTxtLink[]
  readonly sections: readonly LlmsTxtSection[]
  readonly truncated: boolean
}

/** Options of `parseLlmsTxt`. */
export interface ParseLlmsTxtOptions {
  /** The URL of the file; links may be relative to it. */
  readonly url: string | URL
  /** Links kept. Default 1 000. */
  readonly maxLinks?: number
  /** Characters read. Default 1 048 576. */
  readonly maxLength?: number
}

interface OpenSection {
  readonly name: string
  readonly links: LlmsTxtLink[]
}

const MAX_TEXT = 300

/**
 * Parses llms.txt (llmstxt.org, v1 and v2 have one format). A list item counts as a link if it begins with a Markdown link
 * or a bare http(s) URL, with notes or nothing behind it; nothing inside a code fence does. Never throws on content.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function parseLlmsTxt(text: string, options: ParseLlmsTxtOptions): LlmsTxt {
  checkOption('text', typeof (text as unknown) === 'string', 'a text')
  checkOption('options', isRecord(options), 'an object')
  const base = baseUrl(options.url)
  const maxLinks = integerOption('maxLinks', options.maxLinks, 1000)
  const maxLength = integerOption('maxLength', options.maxLength, 1_048_576)

  const before: OpenSection = { name: '', links: [] }
  const sections: OpenSection[] = []
  let title: string | undefined
  let summary = ''
  let count = 0
  let truncated = text.length > maxLength
  const read = truncated ? wholeLines(text.slice(0, maxLength)) : text
  for (const line of linesOutsideFences(read)) {
    if (title === undefined) {
      if (line.trim() === '') continue
      title = heading(line, '# ')
      if (title === undefined) break
      continue
    }
    const name = heading(line, '## ')
    if (name !== undefined) sections.push({ name, links: [] })
    else if (sections.length === 0 && line.startsWith('>')) summary += ` ${line.slice(1, MAX_TEXT * 2)}`
    const link = listLink(line, base)
    if (!link) continue
    if (count++ < maxLinks) (sections.at(-1) ?? before).links.push(link)
    else truncated = true
  }
  return {
    ...(title !== undefined && { title }),
    ...(summary !== '' && { summary: cleanText(summary, MAX_TEXT) }),
    links: before.links,
    sections: sections.map((section) => ({
      ...section,
      optional: section.name.toLowerCase() === 'optional',
    })),
    truncated,
  }
}

function* linesOutsideFences(text: string): Generator<string> {
  let fence: string | undefined
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n?|\n/)) {
    const [, marker] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === undefined && marker === undefined) yield line
    else if (fence === undefined) fence = marker
    else if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined
  }
}

function heading(line: string, prefix: string): string | undefined {
  if (!line.startsWith(prefix)) return undefined
  return cleanText(line.slice(prefix.length).replace(/\s#+\s*$/, ''), MAX_TEXT)
}

function listLink(line: string, base: URL): LlmsTxtLink | undefined {
  const [, item] = /^\s{0,12}(?:[-*+]|\d{1,9}[.)])\s{1,4}(\S[^]*)$/.exec(line.slice(0, 16_384)) ?? []
  if (item === undefined) return undefined
  return item.startsWith('[') ? markdownLink(item, base) : bareLink(item, base)
}

function markdownLink(item: string, base: URL): LlmsTxtLink | undefined {
  const middle = labelEnd(item)
  const end = middle === -1 ? -1 : destinationEnd(item, middle + 2)
  if (end === -1) return undefined
  const destination = item.slice(middle + 2, end).trim()
  const reference = destination.startsWith('<')
    ? destination.slice(1, destination.indexOf('>'))
    : destination.split(/\s/, 1)[0]
  const resolved = resolveWebUrl(reference ?? '', base)
  if ('problem' in resolved || !reference) return undefined
  const notes = cleanText(item.slice(end + 1).replace(/^\s*[:\u2013\u2014-]/, ''), MAX_TEXT)
  const title = cleanText(item.slice(1, middle), MAX_TEXT)
  return { title, url: resolved.url.href, ...(notes !== '' && { notes }) }
}

/** The index of the bracket that ends a label before a destination; pairs of brackets may stand in it. */
function labelEnd(item: string): number {
  let depth = 0
  for (let index = 1; index < item.length; index++) {
    const character = item[index]
    if (character === '\\') index++
    else if (character === '[') depth++
    else if (character === ']' && depth-- === 0) return item[index + 1] === '(' ? index : -1
  }
  return item.indexOf('](')
}

/** The index of the parenthesis that ends a destination; pairs of parentheses may stand in it. */
function destinationEnd(item: string, start: number): number {
  let depth = 0
  for (let index = start; index < item.length; index++) {
    const character = item[index]
    if (character === '\\') index++
    else if (character === '(') depth++
    else if (character === ')' && depth-- === 0) return index
  }
  return -1
}

/** A URL, and notes behind a colon or dash. */
function bareLink(item: string, base: URL): LlmsTxtLink | undefined {
  const [, written = '', rest = ''] = /^<?(https?:\/\/[^\s<>]+)>?([^]*)$/i.exec(item) ?? []
  const [, notes] = /^\s*[:\u2013\u2014-]([^]*)$/.exec(written.endsWith(':') ? `:${rest}` : rest) ?? []
  const reference = written.replace(/:$/, '')
  const resolved = resolveWebUrl(reference, base)
  if (reference === '' || 'problem' in resolved || (notes === undefined && rest.trim() !== ''))
    return undefined
  const cleaned = cleanText(notes ?? '', MAX_TEXT)
  return {
    title: cleanText(reference, MAX_TEXT),
    url: resolved.url.href,
    ...(cleaned !== '' && { notes: cleaned }),
  }
}
