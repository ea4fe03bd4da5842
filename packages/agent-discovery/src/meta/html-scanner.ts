import { decodeHTML } from 'entities'
import { isAgentRelation, metaKind } from '../kinds/advertised-kind.js'
import { checkOption, isRecord } from '../options/check-option.js'
import { integerOption } from '../options/integer-option.js'
import { parseRelations } from '../link/relation.js'
import { cleanText } from '../text/untrusted-text.js'
import { baseUrl, resolveWebUrl, type UrlProblem } from '../url/web-url.js'
import { IgnoredContent } from './ignored-content.js'
import { NoticeReader, type RawNotice } from './notice-reader.js'
import { ATTRIBUTES, HEAD_ELEMENTS, HREF } from './page-elements.js'
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

const MAX_TEXT = 200
const MAX_NOTICE_TEXT = 500

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
  readonly #notices: RawNotice[] = []
  readonly #notice = new NoticeReader()
  readonly #forms: WebMcpForm[] = []
  #base: string | undefined
  #title: string | undefined
  #raw: string | undefined
  #location: 'head' | 'body' = 'head'
  #noscript = false
  #ignoredLinks = 0
  #truncated = false

  /** @throws {AgentDiscoveryError} `invalid_option`, `invalid_url` */
  constructor(options: HtmlScannerOptions) {
    checkOption('options', isRecord(options), 'an object')
    this.#url = baseUrl(options.url)
    this.#maxItems = integerOption('maxItems', options.maxItems, 500)
    this.#remaining = integerOption('maxLength', options.maxLength, 10_485_760)
    this.#reader = new TagReader({
      wantedAttributes: (name) => (name === 'a' && this.#notice.isOpen ? HREF : ATTRIBUTES.get(name)),
      inForeignContent: () => this.#ignored.inForeign,
      wantsText: () => this.#location === 'head' || this.#notice.isOpen,
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

  /** @throws {AgentDiscoveryError} `invalid_option` for what is no text */
  write(chunk: string): void {
    checkOption('chunk', typeof (chunk as unknown) === 'string', 'a text')
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
    const notice = this.#notice.open(name, attributes)
    if (notice) this.#keep(this.#notices, notice)
  }

  #closeTag(name: string): void {
    this.#raw = undefined
    this.#ignored.close(name)
    if (name === 'noscript') this.#noscript = false
    if (name === 'head') this.#location = 'body'
    this.#notice.close(name)
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
    this.#notice.text(piece)
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

  #keep<Item>(list: Item[], item: Item): void {
    if (list.length < this.#maxItems) list.push(item)
    else this.#truncated = true
  }
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
