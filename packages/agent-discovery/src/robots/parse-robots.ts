import { checkOption, isRecord } from '../options/check-option.js'
import { integerOption } from '../options/integer-option.js'
import type { Kind } from '../resources/kind.js'
import { cleanText } from '../text/untrusted-text.js'
import { baseUrl, resolveWebUrl } from '../url/web-url.js'
import { wholeLines } from '../text/whole-lines.js'
import { parseContentSignal, type ContentSignal } from './content-signal.js'
import { parseContentUsage, type ContentUsage } from './content-usage.js'

/** An `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allow: boolean
  readonly path: string
}

/** Usage preferences; without a path they hold for every path of the group. */
export interface ContentUsageRule {
  readonly path?: string
  readonly usage: ContentUsage
}

/** Lines under one or several `User-agent` lines. */
export interface RobotsGroup {
  /** Product tokens in lower case; `*` stands for everybody. */
  readonly userAgents: readonly string[]
  readonly rules: readonly RobotsRule[]
  readonly contentSignal?: ContentSignal
  readonly contentUsage: readonly ContentUsageRule[]
  /** `Disallow: /` or `/*` with nothing allowed. */
  readonly disallowAll: boolean
  /** Signal and usage pieces that are not understood. */
  readonly malformed: readonly string[]
}

/** A line that points to another document; it belongs to no group. */
export interface RobotsPointer {
  readonly url: string
  readonly kind: Kind
  readonly field: 'sitemap' | 'agentmap' | 'license' | 'schemamap'
}

/** What a robots.txt says (RFC 9309), with the signals that are not in the RFC. */
export interface Robots {
  readonly groups: readonly RobotsGroup[]
  readonly pointers: readonly RobotsPointer[]
  /** Signal lines before the first `User-agent` line: they hold for everybody whose group says nothing else. */
  readonly ungrouped: RobotsGroup
  /** Lines with a field that this parser knows. None means that the text is no robots.txt. */
  readonly knownLines: number
  readonly truncated: boolean
}

/** Options of `parseRobots`. */
export interface ParseRobotsOptions {
  /** The URL of the robots.txt; pointers may be relative to it. */
  readonly url: string | URL
  /** Characters read. Default 512 000, the least that RFC 9309 asks of crawlers. */
  readonly maxLength?: number
  /** Pointers kept. Default 200. */
  readonly maxPointers?: number
}

const POINTERS: ReadonlyMap<string, Pick<RobotsPointer, 'kind' | 'field'>> = new Map([
  ['sitemap', { kind: 'sitemap', field: 'sitemap' }],
  ['agentmap', { kind: 'ai-catalog', field: 'agentmap' }],
  ['license', { kind: 'rsl-license', field: 'license' }],
  ['schemamap', { kind: 'nlweb-schemamap', field: 'schemamap' }],
] as const)

const GROUP_FIELDS: ReadonlySet<string> = new Set([
  'allow',
  'disallow',
  'content-signal',
  'content-usage',
  'crawl-delay',
])

/**
 * Parses robots.txt (RFC 9309) with the lines that speak to AI agents. Tolerates byte order marks, odd spacing, mixed case
 * and comments; never throws on content.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function parseRobots(text: string, options: ParseRobotsOptions): Robots {
  checkOption('text', typeof (text as unknown) === 'string', 'a text')
  checkOption('options', isRecord(options), 'an object')
  const base = baseUrl(options.url)
  const maxLength = integerOption('maxLength', options.maxLength, 512_000)
  const maxPointers = integerOption('maxPointers', options.maxPointers, 200)

  const groups: GroupBuilder[] = []
  const ungrouped = new GroupBuilder()
  const pointers = new Map<string, RobotsPointer>()
  let current: GroupBuilder | undefined
  let agentsOpen = false
  let knownLines = 0
  let truncated = text.length > maxLength
  const read = truncated ? wholeLines(text.slice(0, maxLength)) : text

  for (const { field, value } of linesOf(read)) {
    const pointer = POINTERS.get(field)
    if (field === 'user-agent') {
      if (!current || !agentsOpen) groups.push((current = new GroupBuilder()))
      current.userAgents.push(productToken(value))
      agentsOpen = true
      knownLines++
    } else if (pointer) {
      knownLines++
      const resolved = resolveWebUrl(value, base)
      if ('problem' in resolved) continue
      const { href } = resolved.url
      if (pointers.size < maxPointers) pointers.set(`${pointer.field} ${href}`, { ...pointer, url: href })
      else truncated = true
    } else if (GROUP_FIELDS.has(field)) {
      knownLines++
      agentsOpen = false
      const group = current ?? ungrouped
      group.add(field, value)
    }
  }
  return {
    groups: groups.map((group) => group.build()),
    pointers: [...pointers.values()],
    ungrouped: ungrouped.build(),
    knownLines,
    truncated,
  }
}

class GroupBuilder {
  readonly userAgents: string[] = []
  readonly #rules: RobotsRule[] = []
  readonly #usage: ContentUsageRule[] = []
  readonly #malformed: string[] = []
  #signal: ContentSignal | undefined

  add(field: string, value: string): void {
    if (field === 'allow' || field === 'disallow') this.#rules.push({ allow: field === 'allow', path: value })
    else if (field === 'content-signal') this.#addSignal(value)
    else if (field === 'content-usage') this.#addUsage(value)
  }

  build(): RobotsGroup {
    const paths = this.#rules.filter(({ path }) => path !== '')
    return {
      userAgents: this.userAgents,
      rules: this.#rules,
      ...(this.#signal && { contentSignal: this.#signal }),
      contentUsage: this.#usage,
      disallowAll:
        paths.some(({ allow, path }) => !allow && /^\/\**$/.test(path)) && !paths.some(({ allow }) => allow),
      malformed: this.#malformed,
    }
  }

  /** A later line of the group adds what the earlier ones left open. */
  #addSignal(value: string): void {
    const { signal, malformed } = parseContentSignal(value)
    this.#signal = { ...signal, ...this.#signal }
    this.#malformed.push(...malformed)
  }

  #addUsage(value: string): void {
    const [, path, preferences = ''] = /^(?:(\/\S*)(?:\s+|$))?([^]*)$/.exec(value) ?? []
    const { usage, malformed } = parseContentUsage(preferences)
    this.#usage.push(path === undefined ? { usage } : { path, usage })
    this.#malformed.push(...malformed)
  }
}

function* linesOf(text: string): Generator<{ field: string; value: string }> {
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n?|\n/)) {
    const [content = ''] = line.split('#', 1)
    const colon = content.indexOf(':')
    if (colon > 0)
      yield { field: content.slice(0, colon).trim().toLowerCase(), value: content.slice(colon + 1).trim() }
  }
}

/** A robot is named by its product token alone; a version after it does not count (RFC 9309, 2.2.1). */
export function productToken(userAgent: string): string {
  if (userAgent.startsWith('*')) return '*'
  return cleanText(/^[a-z_-]+/i.exec(userAgent)?.[0].toLowerCase() ?? userAgent.toLowerCase(), 100)
}
