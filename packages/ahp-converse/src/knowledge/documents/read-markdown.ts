import GithubSlugger from 'github-slugger'
import type { Heading as HeadingNode, List, Nodes, Parents, Root, RootContent, Table, Yaml } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfmTable } from 'micromark-extension-gfm-table'
import { parse as parseYaml } from 'yaml'
import { tidy, tidyCode, type Block, type Heading, type Outline } from './block.js'
import { labelled, readHtml } from './read-html.js'

const EXTENSIONS = {
  extensions: [frontmatter(), gfmTable()],
  mdastExtensions: [frontmatterFromMarkdown(), gfmTableFromMarkdown()],
}
/** Written behind a heading in many site generators. */
const OWN_ANCHOR = /\s*\{#([\w.:-]+)\}$/
/** Quotes and lists in one another, beyond which nothing is read. */
const MAX_DEPTH = 32
/** Marks of so many at once that parsing them would take long: no text, but an attack. */
const TOO_DEEP = /^(?:[ \t]{0,3}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){64,}/gm

/** CommonMark with tables and front matter; headings get the anchors that GitHub and most site generators give them. */
export function readMarkdown(content: string): Outline {
  const root: Root = fromMarkdown(content.replace(TOO_DEEP, ''), EXTENSIONS)
  const slugger = new GithubSlugger()
  const parts: (Block | Heading)[] = []
  for (const node of root.children) readNode(node, parts, slugger, 0)
  return { ...readFrontMatter(root.children.find((node) => node.type === 'yaml')), parts }
}

/** Definitions, breaks and front matter hold no text of their own. */
function readNode(
  node: RootContent,
  parts: (Block | Heading)[],
  slugger: GithubSlugger,
  depth: number,
): void {
  if (node.type === 'heading') parts.push(readHeading(node, slugger))
  else if (node.type === 'paragraph') push(parts, { kind: 'prose', text: tidy(textOf(node)) })
  else if (node.type === 'code')
    push(parts, { kind: 'code', text: tidyCode(node.value), syntax: node.lang ?? '' })
  else if (node.type === 'list') readList(node, parts, slugger, depth)
  else if (node.type === 'table') readTable(node, parts)
  else if (node.type === 'html') parts.push(...readHtml(node.value).parts)
  else if (node.type === 'blockquote' && depth < MAX_DEPTH) {
    for (const child of node.children) readNode(child, parts, slugger, depth + 1)
  }
}

function push(parts: (Block | Heading)[], part: Exclude<Block, { readonly kind: 'list' }>): void {
  if (part.text !== '') parts.push(part)
}

function readHeading(node: HeadingNode, slugger: GithubSlugger): Heading {
  const text = tidy(textOf(node))
  const anchor = OWN_ANCHOR.exec(text)?.[1]
  if (anchor === undefined) return { kind: 'heading', level: node.depth, text, anchor: slugger.slug(text) }
  return { kind: 'heading', level: node.depth, text: text.replace(OWN_ANCHOR, ''), anchor }
}

/** Code inside of a list ends it, so that it stays whole. */
function readList(list: List, parts: (Block | Heading)[], slugger: GithubSlugger, depth: number): void {
  const ordered = list.ordered === true
  let items: string[] = []
  const endList = (): void => {
    if (items.length > 0) parts.push({ kind: 'list', items, ordered })
    items = []
  }
  const readItems = (list: List, depth: number): void => {
    if (depth > MAX_DEPTH) return
    for (const item of list.children) {
      let text = ''
      const endItem = (): void => {
        if (text !== '') items.push(text)
        text = ''
      }
      for (const child of item.children) {
        if (child.type === 'paragraph') text = tidy(`${text} ${textOf(child)}`)
        else if (child.type === 'list') {
          endItem()
          readItems(child, depth + 1)
        } else {
          endItem()
          endList()
          readNode(child, parts, slugger, depth + 1)
        }
      }
      endItem()
    }
  }
  readItems(list, depth)
  endList()
}

function readTable(table: Table, parts: (Block | Heading)[]): void {
  const [head, ...rows] = table.children.map((row) => row.children.map((cell) => tidy(textOf(cell))))
  const items = rows.flatMap((row) => labelled(row, head ?? []))
  if (items.length > 0) parts.push({ kind: 'list', items, ordered: false })
}

/** The text that is seen: of an image what stands for it, of a link its text, of HTML what a page would show. */
function textOf(node: Nodes): string {
  let text = ''
  let html = ''
  let hasTags = false
  const add = (piece: string): void => {
    text += piece
    html += piece.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'))
  }
  const pending: Nodes[] = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.type === 'text' || next.type === 'inlineCode') add(next.value)
    else if (next.type === 'break') add(' ')
    else if (next.type === 'image') add(next.alt ?? '')
    else if (next.type === 'html') {
      html += next.value
      hasTags = true
    } else if (isParent(next)) pending.push(...next.children.toReversed())
  }
  if (!hasTags) return text
  return readHtml(html)
    .parts.flatMap((part) => ('text' in part ? part.text : part.items))
    .join(' ')
}

function isParent(node: Nodes): node is Parents {
  return 'children' in node
}

function readFrontMatter(node: Yaml | undefined): Partial<Outline> {
  if (node === undefined) return {}
  let facts: unknown
  try {
    facts = parseYaml(node.value, { maxAliasCount: 0, logLevel: 'silent' })
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
