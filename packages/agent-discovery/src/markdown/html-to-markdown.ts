import { decodeHTML } from 'entities'
import { TagReader } from '../meta/tag-reader.js'
import { wellFormed } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import { escapeText, inlineCode } from './escape-text.js'
import { MarkdownBlocks } from './markdown-blocks.js'

export interface HtmlToMarkdownOptions {
  /** What relative addresses resolve against. */
  readonly url: string | URL
}

/**
 * Converts a page to Markdown in one pass, in time and memory linear in its size whatever its nesting. Scripts, styles, forms'
 * controls and embedded documents are left out; no HTML remains, and only http(s) links do.
 */
export function htmlToMarkdown(html: string, options: HtmlToMarkdownOptions): string {
  const converter = new Converter(options.url)
  const reader = new TagReader(converter)
  reader.write(wellFormed(html))
  reader.end()
  return converter.finish()
}

const SKIPPED: ReadonlySet<string> = new Set([
  'title',
  'script',
  'style',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'select',
  'textarea',
  'noembed',
  'noframes',
  'xmp',
])

const BLOCKS: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'body',
  'center',
  'dd',
  'details',
  'dialog',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'header',
  'hgroup',
  'html',
  'legend',
  'main',
  'menu',
  'nav',
  'p',
  'search',
  'section',
  'summary',
  'table',
  'caption',
  'tbody',
  'thead',
  'tfoot',
])

const ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['a', new Set(['href'])],
  ['img', new Set(['src', 'alt'])],
])

const MARKERS: ReadonlyMap<string, string> = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['del', '~~'],
  ['s', '~~'],
])

class Converter {
  readonly #base: string | URL
  readonly #blocks = new MarkdownBlocks()
  #skipping: string | undefined
  #skipDepth = 0
  #pre: string[] | undefined
  #code: string[] | undefined

  constructor(base: string | URL) {
    this.#base = base
  }

  wantedAttributes(name: string): ReadonlySet<string> | undefined {
    return ATTRIBUTES.get(name)
  }

  inForeignContent(): boolean {
    return this.#skipping === 'svg' || this.#skipping === 'math'
  }

  wantsText(): boolean {
    return this.#skipping === undefined
  }

  openTag(name: string, attributes: ReadonlyMap<string, string>, selfClosing: boolean): void {
    if (this.#skipping !== undefined) {
      if (name === this.#skipping && !selfClosing) this.#skipDepth++
      return
    }
    if (SKIPPED.has(name)) this.#skip(name, selfClosing)
    else if (this.#pre) this.#openInPre(name)
    else this.#open(name, attributes)
  }

  closeTag(name: string): void {
    if (this.#skipping !== undefined) {
      if (name === this.#skipping && --this.#skipDepth === 0) this.#skipping = undefined
      return
    }
    if (this.#pre) {
      if (name === 'pre') this.#endPre()
    } else this.#close(name)
  }

  text(piece: string): void {
    const text = decodeHTML(piece)
    if (this.#pre) this.#pre.push(text)
    else if (this.#code) this.#code.push(text)
    else this.#blocks.text(escapeText(text.replace(/[ \t\n\f\r]+/g, ' ')))
  }

  finish(): string {
    if (this.#pre) this.#endPre()
    this.#endCode()
    return this.#blocks.finish()
  }

  #skip(name: string, selfClosing: boolean): void {
    if (selfClosing && (name === 'svg' || name === 'math')) return
    this.#skipping = name
    this.#skipDepth = 1
  }

  #openInPre(name: string): void {
    if (name === 'br') this.#pre?.push('\n')
  }

  #open(name: string, attributes: ReadonlyMap<string, string>): void {
    const marker = MARKERS.get(name)
    if (marker !== undefined) this.#blocks.openInline(name, marker, marker)
    else if (name === 'a') this.#openLink(attributes.get('href'))
    else if (name === 'img') this.#image(attributes)
    else if (name === 'code') this.#code ??= []
    else if (name === 'br') this.#blocks.lineBreak()
    else if (name === 'pre') this.#startPre()
    else if (/^h[1-6]$/.test(name)) this.#blocks.heading(Number(name[1]))
    else this.#openBlock(name)
  }

  #openBlock(name: string): void {
    if (name === 'ul' || name === 'ol') this.#blocks.openList(name)
    else if (name === 'li') this.#blocks.item()
    else if (name === 'blockquote') this.#blocks.openQuote()
    else if (name === 'hr') this.#blocks.rule()
    else if (name === 'tr') this.#blocks.startRow()
    else if (name === 'td' || name === 'th') this.#blocks.cell()
    else if (BLOCKS.has(name)) this.#blocks.flush()
  }

  #close(name: string): void {
    if (name === 'code') this.#endCode()
    else if (MARKERS.has(name) || name === 'a') this.#blocks.closeInline(name)
    else if (name === 'ul' || name === 'ol') this.#blocks.closeList()
    else if (name === 'blockquote') this.#blocks.closeQuote()
    else if (name === 'tr') this.#blocks.endRow()
    else if (name === 'table') this.#blocks.endTable()
    else if (name === 'li' || /^h[1-6]$/.test(name) || BLOCKS.has(name)) this.#blocks.flush()
  }

  #openLink(href: string | undefined): void {
    const url = href === undefined || href.startsWith('#') ? undefined : this.#resolve(href)
    if (url !== undefined) this.#blocks.openInline('a', '[', `](<${url}>)`)
  }

  #image(attributes: ReadonlyMap<string, string>): void {
    const alt = attributes.get('alt')?.trim()
    const url = alt ? this.#resolve(attributes.get('src') ?? '') : undefined
    if (alt && url !== undefined) this.#blocks.text(`![${escapeText(alt.replace(/\s+/g, ' '))}](<${url}>)`)
  }

  #resolve(reference: string): string | undefined {
    const resolved = resolveWebUrl(reference, this.#base)
    return 'url' in resolved ? resolved.url.href : undefined
  }

  #startPre(): void {
    this.#endCode()
    this.#blocks.flush()
    this.#pre = []
  }

  #endPre(): void {
    const text = this.#pre?.join('') ?? ''
    this.#pre = undefined
    this.#blocks.codeBlock(text.replace(/^\r?\n/, '').replace(/\s+$/, ''))
  }

  #endCode(): void {
    const text = this.#code?.join('').replace(/\s+/g, ' ').trim()
    this.#code = undefined
    if (text) this.#blocks.text(inlineCode(text))
  }
}
