import { decodeHTML } from 'entities'
import { isAgentRelation, metaKind } from '../kinds/advertised-kind.js'
import { integerOption } from '../integer-option.js'
import { parseRelations } from '../relation.js'
import { cleanText } from '../untrusted-text.js'
import { baseUrl, resolveWebUrl, type UrlProblem } from '../web-url.js'
import { IgnoredContent } from './ignored-content.js'
import type { HtmlLink, ScannedHtml, WebMcpForm } from './scanned-html.js'
import { TagReader } from './tag-reader.js'

/** Options of `HtmlScanner` and `scanHtml`. */
export interface HtmlScannerOptions {
  /** The final URL of the response. */
  readonly url: string | URL
  /** Links, metas, notices and forms kept, each. Default 500. */
  readonly maxItems?: number
  /** Characters read. Default 10 485 760. */
  readonly maxLength?: number
}

interface RawLink extends Omit<HtmlLink, 'url'> {
  readonly href: string
}

interface OpenNotice {
  readonly element: string
  depth: number
  text: string
  href: string | undefined
}

const MAX_TEXT = 200
const MAX_NOTICE_TEXT = 500

/** The attributes worth reading, by element. A notice is a sectioning element, a paragraph or a `div`. */
const LABEL: ReadonlySet<string> = new Set(['aria-label'])
const HREF: ReadonlySet<string> = new Set(['href'])
const ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['link', new Set(['rel', 'href', 'type', 'title', 'hreflang'])],
  ['meta', new Set(['name', 'content'])],
  ['base', HREF],
  ['section', new Set(['aria-label', 'class'])],
  [
    'form',
    new Set([
      'aria-label',
      'toolname',
      'tool-name',
      'tooldescription',
      'tool-description',
      'toolautosubmit',
      'tool-autosubmit',
    ]),
  ],
  ...['article', 'aside', 'div', 'footer', 'header', 'main', 'nav', 'p'].map(
    (name) => [name, LABEL] as const,
  ),
])

const HEAD_ELEMENTS: ReadonlySet<string> = new Set([
  'html',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'basefont',
  'bgsound',
  'script',
  'style',
  'noscript',
  'template',
  'noframes',
])

/**
 * Finds what a page says to agents, reading it once and in pieces, in memory that does not grow with it. Never throws on
 * content. Comments, `script`, `style`, `template`, `svg` and the like count for nothing; `noscript` does count, since
 * agents run no script.
 */
export class HtmlScanner {
  readonly #url: URL
  readonly #maxItems: number
  #remaining: number
  readonly #reader: TagReader
  readonly #ignored = new IgnoredContent()
  readonly #links: RawLink[] = []
  readonly #metas: { name: string; content: string }[] = []
  readonly #notices: OpenNotice[] = []
  readonly #forms: WebMcpForm[] = []
  #base: string | undefined
  #title: string | undefined
  #raw: string | undefined
  #location: 'head' | 'body' = 'head'
  #noscript = false
  #openNotice: OpenNotice | undefined
  #ignoredLinks = 0
  #truncated = false

  /** @throws {AgentDiscoveryError} `invalid_option`, `invalid_url` */
  constructor(options: HtmlScannerOptions) {
    this.#url = baseUrl(options.url)
    this.#maxItems = integerOption('maxItems', options.maxItems, 500)
    this.#remaining = integerOption('maxLength', options.maxLength, 10_485_760)
    this.#reader = new TagReader({
      wantedAttributes: (name) => (name === 'a' && this.#openNotice ? HREF : ATTRIBUTES.get(name)),
      inForeignContent: () => this.#ignored.inForeign,
      wantsText: () => this.#location === 'head' || this.#openNotice !== undefined,
      openTag: (name, attributes, selfClosing) => {
        this.#openTag(name, attributes, selfClosing)
      },
      closeTag: (name) => {
        this.#closeTag(name)
      },
      text: (piece) => {
        this.#text(piece)
      },
    })
  }

  /** Whether more text would be read at all. */
  get full(): boolean {
    return this.#remaining === 0
  }

  write(chunk: string): void {
    if (chunk.length > this.#remaining) this.#truncated = true
    const accepted = chunk.slice(0, this.#remaining)
    this.#remaining -= accepted.length
    if (accepted !== '') this.#reader.write(accepted)
  }

  end(): ScannedHtml {
    this.#reader.end()
    const base = this.#resolvedBase()
    const dropped: { text: string; reason: UrlProblem }[] = []
    const resolve = <Item>(reference: string, item: (url: string) => Item): Item[] => {
      const resolved = resolveWebUrl(reference, base)
      if ('url' in resolved) return [item(resolved.url.href)]
      dropped.push({ text: cleanText(reference, MAX_TEXT), reason: resolved.problem })
      return []
    }
    return {
      baseUrl: base.href,
      ...(this.#title !== undefined && { title: cleanText(decodeHTML(this.#title), MAX_TEXT) }),
      links: this.#links.flatMap((link) => resolve(link.href, (url) => ({ ...link, url }))),
      metas: this.#metas.flatMap((meta) => resolve(meta.content, (url) => ({ ...meta, url }))),
      notices: this.#notices.map(({ text, href }) => {
        const [url] = href === undefined ? [] : resolve(href, (absolute) => absolute)
        return { text: cleanText(decodeHTML(text), MAX_NOTICE_TEXT), ...(url !== undefined && { url }) }
      }),
      forms: this.#forms,
      ignoredLinks: this.#ignoredLinks,
      dropped,
      truncated: this.#truncated,
    }
  }

  #resolvedBase(): URL {
    const base = this.#base === undefined ? undefined : resolveWebUrl(this.#base, this.#url)
    return base && 'url' in base ? base.url : this.#url
  }

  #openTag(name: string, attributes: ReadonlyMap<string, string>, selfClosing: boolean): void {
    const counts = this.#ignored.open(name, selfClosing)
    this.#raw = name
    if (!counts) return
    if (this.#location === 'head' && !HEAD_ELEMENTS.has(name)) this.#location = 'body'
    if (name === 'link') this.#link(attributes)
    else if (name === 'meta') this.#meta(attributes)
    else if (name === 'base') this.#base ??= attributes.get('href')
    else this.#otherTag(name, attributes)
  }

  #otherTag(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'noscript') this.#noscript = true
    else if (name === 'form') this.#form(attributes)
    else if (name === 'a' && this.#openNotice) this.#openNotice.href ??= attributes.get('href')
    this.#followNotice(name, attributes)
  }

  #closeTag(name: string): void {
    this.#raw = undefined
    this.#ignored.close(name)
    if (name === 'noscript') this.#noscript = false
    if (name === 'head') this.#location = 'body'
    if (this.#openNotice?.element === name && --this.#openNotice.depth === 0) this.#openNotice = undefined
  }

  #text(piece: string): void {
    if (this.#ignored.active) return
    if (this.#raw === 'script' || this.#raw === 'style') return
    if (this.#raw === 'title' && this.#location === 'head') {
      if ((this.#title?.length ?? 0) < MAX_TEXT * 4)
        this.#title = (this.#title ?? '') + piece.slice(0, MAX_TEXT * 4)
      return
    }
    if (this.#location === 'head' && /[^\t\n\f\r ]/.test(piece)) this.#location = 'body'
    const notice = this.#openNotice
    if (notice && notice.text.length < MAX_NOTICE_TEXT * 4) notice.text += piece.slice(0, MAX_NOTICE_TEXT * 4)
  }

  #link(attributes: ReadonlyMap<string, string>): void {
    const href = attributes.get('href')
    const rels = parseRelations(attributes.get('rel') ?? '')
    if (!href?.trim() || rels.length === 0) return
    const hreflang = attributes.get('hreflang')
    const type = attributes.get('type')?.trim().toLowerCase()
    if (!isAgentRelation(rels) || isOtherAlternate(rels, type, hreflang)) {
      this.#ignoredLinks++
      return
    }
    const title = attributes.get('title')
    this.#keep(this.#links, {
      href,
      rels,
      ...(type && { type: cleanText(type, MAX_TEXT) }),
      ...(title && { title: cleanText(title, MAX_TEXT) }),
      ...(hreflang && { hreflang: cleanText(hreflang, MAX_TEXT) }),
      location: this.#location,
      inNoscript: this.#noscript,
    })
  }

  #meta(attributes: ReadonlyMap<string, string>): void {
    const name = attributes.get('name')?.trim().toLowerCase()
    const content = attributes.get('content')?.trim()
    if (name !== undefined && content && metaKind(name)) this.#keep(this.#metas, { name, content })
  }

  #form(attributes: ReadonlyMap<string, string>): void {
    const name = attributes.get('toolname') ?? attributes.get('tool-name')
    if (!name) return
    const description = attributes.get('tooldescription') ?? attributes.get('tool-description')
    this.#keep(this.#forms, {
      name: cleanText(name, MAX_TEXT),
      ...(description && { description: cleanText(description, MAX_NOTICE_TEXT) }),
      autoSubmit: attributes.has('toolautosubmit') || attributes.has('tool-autosubmit'),
    })
  }

  #followNotice(element: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#openNotice) {
      if (this.#openNotice.element === element) this.#openNotice.depth++
    } else if (isNotice(element, attributes)) {
      this.#openNotice = { element, depth: 1, text: '', href: undefined }
      this.#keep(this.#notices, this.#openNotice)
    }
  }

  #keep<Item>(list: Item[], item: Item): void {
    if (list.length < this.#maxItems) list.push(item)
    else this.#truncated = true
  }
}

function isNotice(element: string, attributes: ReadonlyMap<string, string>): boolean {
  const classes = attributes.get('class')?.split(/[ \t\n\f\r]+/) ?? []
  return (
    (element === 'section' && classes.includes('ahp-notice')) ||
    attributes.get('aria-label')?.trim().toLowerCase() === 'ai agent notice'
  )
}

/** Translations, feeds and stylesheets are alternates that say nothing to agents. */
function isOtherAlternate(
  rels: readonly string[],
  type: string | undefined,
  hreflang: string | undefined,
): boolean {
  if (rels.length !== 1 || rels[0] !== 'alternate') return rels.includes('stylesheet')
  return (
    type === undefined ||
    type === '' ||
    (hreflang !== undefined && type === 'text/html') ||
    /\b(?:rss|atom|feed|oembed)\b/.test(type)
  )
}
