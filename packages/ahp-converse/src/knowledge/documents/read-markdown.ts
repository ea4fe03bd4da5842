import GithubSlugger from 'github-slugger'
import MarkdownIt, { type Token } from 'markdown-it'
import { parse as parseYaml } from 'yaml'
import { tidy, tidyCode, type Block, type Heading, type Outline } from './block.js'
import { labelled, readHtml } from './read-html.js'

/** A list takes two of them, a quote one. Where they end, the rest of the text would go unread. */
const MAX_NESTING = 256
/** Marks of so many at once are no text, but an attack. */
const TOO_DEEP = /^(?:[ \t]{0,3}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){64,}/gm
const markdown = new MarkdownIt({ html: true, maxNesting: MAX_NESTING })
/** Written behind a heading in many site generators. */
const OWN_ANCHOR = /\s*\{#([\w.:-]+)\}$/
/** YAML between two lines of three hyphens, at the very beginning. */
const FRONT_MATTER = /^---[ \t]*\n(?:([^]*?)\n)?---[ \t]*(?:\n|$)/

/** CommonMark with tables and front matter; headings get the anchors that GitHub and most site generators give them. */
export function readMarkdown(content: string): Outline {
  const text = content.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const [frontMatter = '', yaml = ''] = FRONT_MATTER.exec(text) ?? []
  const tokens = markdown.parse(text.slice(frontMatter.length).replace(TOO_DEEP, ''), {})
  return { ...readFrontMatter(yaml), parts: readParts(tokens) }
}

/** A list or a quote that is open, innermost last. */
type Container = { readonly kind: 'list'; readonly ordered: boolean } | { readonly kind: 'quote' }

/** Definitions and breaks hold no text of their own. Code inside of a list ends it, so that it stays whole. */
function readParts(tokens: readonly Token[]): (Block | Heading)[] {
  const parts: (Block | Heading)[] = []
  const slugger = new GithubSlugger()
  const containers: Container[] = []
  let item = ''
  let items: string[] = []
  let rows: string[][] = []

  for (const [place, token] of tokens.entries()) {
    const { type } = token
    if (type === 'inline') readText(token, tokens[place - 1])
    else if (type === 'bullet_list_open' || type === 'ordered_list_open')
      openList(type === 'ordered_list_open')
    else if (type === 'list_item_close') endItem()
    else if (type === 'bullet_list_close' || type === 'ordered_list_close') closeList()
    else if (type === 'blockquote_open') {
      endList()
      containers.push({ kind: 'quote' })
    } else if (type === 'blockquote_close') containers.pop()
    else if (type === 'tr_open') rows.push([])
    else if (type === 'table_close') endTable()
    else if (type === 'fence' || type === 'code_block') {
      const syntax = /^\S*/.exec(markdown.utils.unescapeAll(token.info).trim())?.[0] ?? ''
      push({ kind: 'code', text: tidyCode(token.content), syntax })
    } else if (type === 'html_block') {
      endList()
      parts.push(...readHtml(token.content).parts)
    }
  }
  return parts

  /** What opened before a text says what the text is. */
  function readText(token: Token, opened: Token | undefined): void {
    const text = tidy(textOf(token.children ?? []))
    if (opened?.type === 'heading_open') {
      endList()
      parts.push(headingOf(text, Number(opened.tag.slice(1)), slugger))
    } else if (opened?.type === 'th_open' || opened?.type === 'td_open') rows.at(-1)?.push(text)
    else if (containers.at(-1)?.kind === 'list') item = tidy(`${item} ${text}`)
    else push({ kind: 'prose', text })
  }

  function push(part: Exclude<Block, { readonly kind: 'list' }>): void {
    endList()
    if (part.text !== '') parts.push(part)
  }

  /** The items of a list in a list are those of the outer one. */
  function openList(ordered: boolean): void {
    endItem()
    const around = containers.at(-1)
    containers.push(around?.kind === 'list' ? around : { kind: 'list', ordered })
  }

  function closeList(): void {
    if (containers.at(-2)?.kind !== 'list') endList()
    containers.pop()
  }

  function endItem(): void {
    if (item !== '') items.push(item)
    item = ''
  }

  function endList(): void {
    endItem()
    const around = containers.at(-1)
    if (items.length > 0)
      parts.push({ kind: 'list', items, ordered: around?.kind === 'list' && around.ordered })
    items = []
  }

  function endTable(): void {
    endList()
    const [head = [], ...body] = rows
    const labelledRows = body.flatMap((row) => labelled(row, head))
    if (labelledRows.length > 0) parts.push({ kind: 'list', items: labelledRows, ordered: false })
    rows = []
  }
}

function headingOf(text: string, level: number, slugger: GithubSlugger): Heading {
  const anchor = OWN_ANCHOR.exec(text)?.[1]
  if (anchor === undefined) return { kind: 'heading', level, text, anchor: slugger.slug(text) }
  return { kind: 'heading', level, text: text.replace(OWN_ANCHOR, ''), anchor }
}

/** The text that is seen: of an image what stands for it, of a link its text, of HTML what a page would show. */
function textOf(tokens: readonly Token[]): string {
  if (!tokens.some(({ type }) => type === 'html_inline')) return tokens.map(shownText).join('')
  const html = tokens.map((token) =>
    token.type === 'html_inline' ? token.content : escaped(shownText(token)),
  )
  return readHtml(html.join(''))
    .parts.flatMap((part) => ('text' in part ? part.text : part.items))
    .join(' ')
}

function shownText({ type, content, children }: Token): string {
  if (type === 'text' || type === 'code_inline') return content
  if (type === 'softbreak' || type === 'hardbreak') return ' '
  return type === 'image' ? (children ?? []).map(shownText).join('') : ''
}

function escaped(text: string): string {
  return text.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'))
}

function readFrontMatter(yaml: string): Partial<Outline> {
  let facts: unknown
  try {
    facts = parseYaml(yaml, { maxAliasCount: 0, logLevel: 'silent' })
  } catch {
    return {} // a document whose front matter is broken still has its text
  }
  return {
    title: textFact(facts, ['title']),
    url: textFact(facts, ['url', 'permalink']),
    language: textFact(facts, ['lang', 'language', 'locale']),
    description: textFact(facts, ['description', 'summary']),
  }
}

function textFact(facts: unknown, names: readonly string[]): string | undefined {
  if (typeof facts !== 'object' || facts === null) return undefined
  for (const name of names) {
    const value: unknown = Object.hasOwn(facts, name) ? (facts as Record<string, unknown>)[name] : undefined
    if (typeof value === 'string' && tidy(value) !== '') return tidy(value)
  }
  return undefined
}
