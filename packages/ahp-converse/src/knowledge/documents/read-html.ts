import { Parser } from 'htmlparser2'
import { ConverseError } from '../../converse-error.js'
import { tidy, tidyCode, type Block, type Heading, type Outline } from './block.js'

/** What is no part of the text, or is furniture around it. */
const SKIPPED = new Set([
  ...[
    'script',
    'style',
    'template',
    'noscript',
    'svg',
    'math',
    'iframe',
    'object',
    'canvas',
    'audio',
    'video',
  ],
  ...['nav', 'footer', 'aside', 'form', 'button', 'select', 'dialog', 'menu', 'input', 'textarea'],
])
const BLOCKS = new Set([
  ...[
    'address',
    'article',
    'blockquote',
    'body',
    'caption',
    'details',
    'div',
    'dl',
    'dt',
    'fieldset',
    'figcaption',
  ],
  ...[
    'figure',
    'header',
    'hgroup',
    'hr',
    'html',
    'main',
    'p',
    'section',
    'summary',
    'table',
    'tbody',
    'thead',
    'tfoot',
  ],
])
const HEADING = /^h([1-6])$/
const HIDING_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?:\.0*)?(?![.\d])/i

/** Far beyond any page; the parser takes longer for each further level. */
const MAX_DEPTH = 2000

interface Found {
  readonly part: Block | Heading
  readonly inMain: boolean
}

/** The text that a reader of the page sees: of `<main>` alone where there is one; nothing hidden, no scripts, no menus. */
export function readHtml(content: string): Outline {
  const page = new PageReader()
  const parser = new Parser(page, { decodeEntities: true, lowerCaseTags: true })
  parser.write(content)
  parser.end()
  return page.outline()
}

/** Keeps its own stack, so that depth costs no call stack. */
class PageReader {
  readonly #found: Found[] = []
  /** Of each open element, whether it and what is in it is left out. */
  readonly #open: boolean[] = []
  #skipping = 0
  #inMain = 0
  #text = ''
  #title = ''
  #inTitle = false
  #language: string | undefined
  #description: string | undefined
  #heading: { level: number; anchor: string | undefined } | undefined
  /** The nearest id met since the last heading: of a section around it, or of an anchor in front of it. */
  #anchor: string | undefined
  #code: { text: string; syntax: string } | undefined
  /** The outermost list that is open; what is nested in it becomes items of the same list. */
  #list: { items: string[]; ordered: boolean; depth: number } | undefined
  #columns: string[] = []
  #row: string[] | undefined
  #rowIsHead = false

  onopentag(name: string, attributes: Record<string, string>): void {
    if (name === 'html') this.#language = attributes['lang'] ?? this.#language
    if (name === 'meta' && attributes['name']?.toLowerCase() === 'description') {
      this.#description = tidy(attributes['content'] ?? '')
    }
    if (name === 'title' && this.#title === '' && this.#skipping === 0) this.#inTitle = true
    const skips = SKIPPED.has(name) || isHidden(attributes)
    if (this.#open.push(skips) > MAX_DEPTH) throw tooDeep()
    if (skips) {
      this.#flush()
      this.#skipping++
    }
    if (this.#skipping === 0) this.#openVisible(name, attributes)
  }

  #openVisible(name: string, attributes: Record<string, string>): void {
    if (name === 'main') {
      this.#endList()
      this.#inMain++
    }
    const level = HEADING.exec(name)?.[1]
    const id = attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined)
    if (this.#heading !== undefined) this.#heading.anchor ??= id
    else if (id !== undefined && (name === 'section' || name === 'a' || name === 'div' || name === 'article'))
      this.#anchor = id
    if (level !== undefined) {
      this.#endList()
      this.#heading = { level: Number(level), anchor: id ?? this.#anchor }
      this.#anchor = undefined
    } else if (name === 'pre') {
      this.#flush()
      this.#code = { text: '', syntax: '' }
    } else if (name === 'code' && this.#code !== undefined) {
      this.#code.syntax = /\blanguage-([\w+#-]+)/.exec(attributes['class'] ?? '')?.[1] ?? ''
    } else if (name === 'ul' || name === 'ol') {
      this.#flush()
      if (this.#list === undefined) this.#list = { items: [], ordered: name === 'ol', depth: 1 }
      else this.#list.depth++
    } else if (name === 'li') {
      this.#flush()
    } else if (name === 'table') {
      this.#endList()
      this.#columns = []
      this.#list = { items: [], ordered: false, depth: 1 }
    } else if (name === 'tr') {
      this.#flush()
      this.#row = []
      this.#rowIsHead = true
    } else if (name === 'td' || name === 'th') {
      this.#text = ''
      if (name === 'td') this.#rowIsHead = false
    } else if (name === 'br') {
      this.#addText(' ')
    } else if (BLOCKS.has(name)) {
      if (this.#list === undefined) this.#flush()
      else this.#addText(' ')
    }
  }

  ontext(text: string): void {
    if (this.#inTitle) this.#title += text
    else if (this.#skipping === 0) this.#addText(text)
  }

  #addText(text: string): void {
    if (this.#code === undefined) this.#text += text
    else this.#code.text += text
  }

  onclosetag(name: string): void {
    if (name === 'title') this.#inTitle = false
    if (this.#open.pop() === true) this.#skipping--
    else if (this.#skipping === 0) this.#closeVisible(name)
  }

  #closeVisible(name: string): void {
    if (HEADING.test(name)) this.#endHeading()
    else if (name === 'pre') this.#endCode()
    else if (name === 'li') this.#flush()
    else if (name === 'ul' || name === 'ol' || name === 'table') {
      this.#flush()
      if (this.#list !== undefined && --this.#list.depth === 0) this.#endList()
    } else if (name === 'td' || name === 'th') {
      this.#row?.push(tidy(this.#text))
      this.#text = ''
    } else if (name === 'dt') this.#text = this.#text.trim() === '' ? '' : `${this.#text.trimEnd()}: `
    else if (name === 'dd') this.#flush()
    else if (name === 'tr') this.#endRow()
    else if (name === 'main') {
      this.#endList()
      this.#inMain--
    } else if (BLOCKS.has(name) && this.#list === undefined) this.#flush()
  }

  #flush(): void {
    if (this.#heading !== undefined) return
    const text = tidy(this.#text)
    this.#text = ''
    if (text === '') return
    if (this.#list === undefined) this.#push({ kind: 'prose', text })
    else this.#list.items.push(text)
  }

  #endList(): void {
    this.#flush()
    const list = this.#list
    this.#list = undefined
    if (list !== undefined && list.items.length > 0) {
      this.#push({ kind: 'list', items: list.items, ordered: list.ordered })
    }
  }

  #endHeading(): void {
    const heading = this.#heading
    if (heading === undefined) return
    const text = tidy(this.#text).replace(/\s*[#¶§]$/u, '')
    this.#heading = undefined
    this.#text = ''
    if (text !== '') this.#push({ kind: 'heading', text, ...heading })
  }

  #endCode(): void {
    const code = this.#code
    this.#code = undefined
    const text = tidyCode(code?.text ?? '')
    if (code === undefined || text === '') return
    const list = this.#list
    this.#endList()
    this.#push({ kind: 'code', text, syntax: code.syntax })
    if (list !== undefined) this.#list = { items: [], ordered: list.ordered, depth: list.depth }
  }

  #endRow(): void {
    const row = this.#row ?? []
    this.#row = undefined
    if (this.#rowIsHead && this.#columns.length === 0) this.#columns = row
    else this.#list?.items.push(...labelled(row, this.#columns))
  }

  #push(part: Block | Heading): void {
    this.#found.push({ part, inMain: this.#inMain > 0 })
  }

  outline(): Outline {
    this.#endCode()
    this.#endHeading()
    this.#endList()
    const main = this.#found.filter(({ inMain }) => inMain)
    const parts = (main.length > 0 ? main : this.#found).map(({ part }) => part)
    // The title of a page often carries the name of the site too; its heading does not.
    const heading = parts.find((part) => part.kind === 'heading' && part.level === 1) as Heading | undefined
    return {
      title: heading?.text ?? tidy(this.#title),
      language: this.#language,
      description: this.#description,
      parts,
    }
  }
}

/** A row of a table as one line: each cell after the name of its column. */
export function labelled(cells: readonly string[], columns: readonly string[]): string[] {
  const named = cells.flatMap((cell, index) => {
    if (cell === '') return []
    const column = columns[index] ?? ''
    return column === '' ? cell : `${column}: ${cell}`
  })
  return named.length === 0 ? [] : [named.join('; ')]
}

function tooDeep(): ConverseError {
  return new ConverseError('invalid_document', `HTML is nested more than ${MAX_DEPTH} levels deep`)
}

/** Text that people do not see is the usual way to slip instructions to agents. */
function isHidden(attributes: Record<string, string>): boolean {
  return (
    Object.hasOwn(attributes, 'hidden') ||
    attributes['aria-hidden'] === 'true' ||
    HIDING_STYLE.test(attributes['style'] ?? '')
  )
}
