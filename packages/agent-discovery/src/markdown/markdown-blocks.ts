import { escapeLineStart, longestRun } from './escape-text.js'

interface Container {
  readonly kind: 'quote' | 'ul' | 'ol'
  count: number
}

interface Inline {
  readonly name: string
  readonly close: string
}

/** Nesting that is still shown; what lies deeper is written at the deepest level. */
const MAX_CONTAINERS = 16
const MAX_INLINES = 16

/** Writes blocks of Markdown from a stream of text and boundaries that may be unbalanced in any way. */
export class MarkdownBlocks {
  readonly #blocks: string[] = []
  readonly #containers: Container[] = []
  readonly #inlines: Inline[] = []
  #ignored = 0
  #line: string[] = []
  #lineIsEmpty = true
  #level = 0
  #marker: string | undefined
  #cells: string[] | undefined
  #tableRows = 0

  text(text: string): void {
    if (this.#lineIsEmpty && text.trim() === '') return
    this.#line.push(this.#lineIsEmpty ? text.trimStart() : text)
    this.#lineIsEmpty = false
  }

  openInline(name: string, open: string, close: string): void {
    if (this.#inlines.length === MAX_INLINES || this.#inlines.some((inline) => inline.name === name)) return
    this.#inlines.push({ name, close })
    this.#line.push(open)
  }

  closeInline(name: string): void {
    const index = this.#inlines.findLastIndex((inline) => inline.name === name)
    if (index === -1) return
    for (const { close } of this.#inlines.splice(index).reverse()) this.#line.push(close)
  }

  lineBreak(): void {
    if (this.#cells) this.text(' ')
    else if (!this.#lineIsEmpty) this.#line.push('\\\n')
  }

  heading(level: number): void {
    this.flush()
    this.#level = level
  }

  rule(): void {
    this.flush()
    this.#push('---')
  }

  openList(kind: 'ul' | 'ol'): void {
    this.flush()
    this.#openContainer({ kind, count: 0 })
  }

  closeList(): void {
    this.flush()
    this.#closeContainer((kind) => kind !== 'quote')
  }

  item(): void {
    this.flush()
    const list = this.#containers.findLast(({ kind }) => kind !== 'quote')
    if (list) this.#marker = list.kind === 'ul' ? '-' : `${++list.count}.`
  }

  openQuote(): void {
    this.flush()
    this.#openContainer({ kind: 'quote', count: 0 })
  }

  closeQuote(): void {
    this.flush()
    this.#closeContainer((kind) => kind === 'quote')
  }

  startRow(): void {
    this.endRow()
    this.flush()
    this.#cells = []
  }

  cell(): void {
    if (this.#cells) this.#endCell(this.#cells)
  }

  endRow(): void {
    const cells = this.#cells
    if (!cells) return
    this.#endCell(cells)
    this.#cells = undefined
    if (cells.length === 0) return
    const row = `| ${cells.join(' | ')} |`
    const separator = `\n|${' --- |'.repeat(cells.length)}`
    if (this.#tableRows++ === 0) this.#push(row + separator)
    else this.#append(row)
  }

  endTable(): void {
    this.endRow()
    this.flush()
    this.#tableRows = 0
  }

  codeBlock(text: string): void {
    this.flush()
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
    this.#push(`${fence}\n${text}\n${fence}`)
  }

  /** Ends the current paragraph, heading or item text. */
  flush(): void {
    if (this.#cells) {
      this.text(' ')
      return
    }
    const text = this.#takeLine()
    const level = this.#level
    this.#level = 0
    if (text === '') return
    this.#push(level > 0 ? `${'#'.repeat(level)} ${text.replace(/\\?\n/g, ' ')}` : escapeLineStart(text))
  }

  finish(): string {
    this.endTable()
    return this.#blocks.length === 0 ? '' : `${this.#blocks.join('\n\n')}\n`
  }

  #takeLine(): string {
    const empty = this.#lineIsEmpty
    for (const { close } of this.#inlines.splice(0).reverse()) this.#line.push(close)
    const text = empty
      ? ''
      : this.#line
          .join('')
          .replace(/ {2,}/g, ' ')
          .replace(/(?:\\\n|\s)+$/, '')
          .trim()
    this.#line = []
    this.#lineIsEmpty = true
    return text
  }

  #endCell(cells: string[]): void {
    const text = this.#takeLine().replace(/\\?\n/g, ' ')
    if (text !== '' || cells.length > 0) cells.push(text)
  }

  /** Adds a block with the prefixes of the lists and quotes around it; the marker of an item stands at its first block. */
  #push(block: string): void {
    const marker = this.#marker
    this.#marker = undefined
    const prefix = this.#containers.map(({ kind }) => (kind === 'quote' ? '> ' : '  ')).join('')
    const lines = block.split('\n')
    const first = marker === undefined ? prefix : `${prefix.slice(0, prefix.lastIndexOf('  '))}${marker} `
    this.#blocks.push(lines.map((line, index) => (index === 0 ? first : prefix) + line).join('\n'))
  }

  /** Adds a line to the last block. */
  #append(line: string): void {
    const prefix = this.#containers.map(({ kind }) => (kind === 'quote' ? '> ' : '  ')).join('')
    this.#blocks.push(`${this.#blocks.pop() ?? ''}\n${prefix}${line}`)
  }

  #openContainer(container: Container): void {
    if (this.#containers.length === MAX_CONTAINERS) this.#ignored++
    else this.#containers.push(container)
  }

  #closeContainer(matches: (kind: Container['kind']) => boolean): void {
    if (this.#ignored > 0) {
      this.#ignored--
      return
    }
    const index = this.#containers.findLastIndex(({ kind }) => matches(kind))
    if (index !== -1) this.#containers.length = index
    this.#marker = undefined
  }
}
