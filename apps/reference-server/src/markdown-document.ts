import GithubSlugger from 'github-slugger'
import MarkdownIt, { type Token } from 'markdown-it'

export interface Section {
  /** 1 to 6. */
  readonly level: number
  readonly title: string
  /** Fragment of the section on its page, as GitHub would name it. */
  readonly anchor: string
}

export interface MarkdownOutline {
  /** The first heading of level 1. */
  readonly title: string | undefined
  /** Plain text of the first paragraph that is a sentence, else of the first one, at most 300 characters; '' without one. */
  readonly summary: string
  readonly sections: readonly Section[]
}

/** HTML in a document is shown as text, never passed on. */
const markdown = new MarkdownIt({ html: false })
const MAX_SUMMARY_CHARACTERS = 300

// A comment is for whoever edits the text.
markdown.core.ruler.push('without_comments', (state) => {
  const isComment = state.tokens.map(
    ({ type, content }) => type === 'inline' && /^<!--[^]*-->$/.test(content),
  )
  state.tokens = state.tokens.filter(
    (_, place) => !isComment.slice(Math.max(0, place - 1), place + 2).includes(true),
  )
})

// Pictures would come from elsewhere, and a page makes no request to anywhere else: their text stands in for them.
markdown.renderer.rules['image'] = (tokens, place) => markdown.utils.escapeHtml(tokens[place]?.content ?? '')

/** What a document says it holds. */
export function outlineOf(text: string): MarkdownOutline {
  const tokens = markdown.parse(text, {})
  const sections = headings(tokens).map(({ section }) => section)
  return {
    title: sections.find(({ level }) => level === 1)?.title,
    summary: shortened(summaryIn(tokens)),
    sections,
  }
}

/** What leads over to code says little of the document: `prints`, or `Start it:`. */
function summaryIn(tokens: readonly Token[]): string {
  const paragraphs = tokens.flatMap(({ type, level }, place) => {
    const inline = tokens[place + 1]
    return type === 'paragraph_open' && level === 0 && inline !== undefined ? [plainText(inline)] : []
  })
  const sentence = paragraphs.find((text) => /[.!?:]$/.test(text) && text.split(' ').length > 3)
  return (sentence ?? paragraphs[0] ?? '').replace(/:$/, '.')
}

/** Renders a document; `resolveLink` maps each link of the text to the one that its page has. */
export function renderMarkdown(
  text: string,
  options: { readonly resolveLink: (href: string) => string },
): string {
  const tokens = markdown.parse(text, {})
  for (const { open, section } of headings(tokens)) open.attrSet('id', section.anchor)
  for (const token of tokens) replaceInlineStyle(token)
  for (const [place, token] of tokens.entries())
    if (token.type === 'th_open' && tokens[place + 1]?.content === '')
      makePlain(tokens.slice(place, place + 3))
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.type === 'link_open' ? token.attrGet('href') : null
    if (typeof href === 'string') token.attrSet('href', options.resolveLink(href))
  }
  const rendered = markdown.renderer.render(tokens, markdown.options, {})
  // What can be wider than its column is scrolled with the keyboard too. Text of the document never holds a tag.
  return rendered.replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">')
}

/** Columns are aligned by class, because the pages allow no inline style. */
function replaceInlineStyle(token: Token): void {
  const alignment = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1]
  token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
  if (alignment !== undefined) token.attrSet('class', `align-${alignment}`)
}

/** An empty cell is the head of nothing. */
function makePlain(cell: readonly Token[]): void {
  for (const token of cell) if (token.tag === 'th') token.tag = 'td'
}

function headings(tokens: readonly Token[]): { open: Token; section: Section }[] {
  const slugger = new GithubSlugger()
  return tokens.flatMap((open, place) => {
    const inline = tokens[place + 1]
    if (open.type !== 'heading_open' || inline === undefined) return []
    const title = plainText(inline)
    return [{ open, section: { level: Number(open.tag.slice(1)), title, anchor: slugger.slug(title) } }]
  })
}

function plainText(inline: Token): string {
  return (inline.children ?? [])
    .map((token) => (token.type === 'softbreak' || token.type === 'hardbreak' ? ' ' : token.content))
    .join('')
    .trim()
}

function shortened(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= MAX_SUMMARY_CHARACTERS) return text
  const cut = characters.slice(0, MAX_SUMMARY_CHARACTERS - 1).join('')
  return `${cut.replace(/\s+\S*$/, '')}…`
}
