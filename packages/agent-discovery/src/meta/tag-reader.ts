import { decodeHTMLAttribute } from 'entities'
import { Tokenizer } from 'htmlparser2'

/** What a document is made of, in order. Names are in lower case. */
export interface TagEvents {
  /** The attributes of this element that are worth collecting. */
  wantedAttributes(name: string): ReadonlySet<string> | undefined
  openTag(name: string, attributes: ReadonlyMap<string, string>, selfClosing: boolean): void
  closeTag(name: string): void
  /** Whether SVG or MathML is being read: only there CDATA sections exist. */
  inForeignContent(): boolean
  /** Whether text is worth cutting out at the moment. */
  wantsText(): boolean
  /** Text between tags, undecoded and in pieces; the content of `script` and `style` is text too. */
  text(piece: string): void
}

/** Characters of a tag or attribute name, and of an attribute value. What is longer is cut off. */
const MAX_NAME_LENGTH = 256
const MAX_VALUE_LENGTH = 8192

/** In HTML this begins a comment that ends at the next `>` (HTML standard, 13.2.5.42). */
const CDATA_MARK = '<!['
/** The same to the tokenizer, which knows CDATA sections everywhere. */
const COMMENT_MARK = '<! '

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** Reads tags out of HTML in chunks of any size, in memory that does not grow with the document. */
export class TagReader {
  readonly #events: TagEvents
  readonly #tokenizer: Tokenizer
  /** The beginning of what may be the mark of a CDATA section. */
  #held = ''
  #chunk = ''
  #chunkStart = 0
  /** The end of what came before the chunk: names may begin there. */
  #carry = ''
  #name = ''
  #wanted: ReadonlySet<string> | undefined
  #attributes: Map<string, string> | undefined
  #attribute: string | null = null
  #value = ''

  constructor(events: TagEvents) {
    this.#events = events
    this.#tokenizer = new Tokenizer({ decodeEntities: false }, this.#callbacks())
  }

  write(chunk: string): void {
    const text = this.#held + chunk
    const end = text.length - (/<!?$/.exec(text)?.[0].length ?? 0)
    this.#held = text.slice(end)
    this.#read(text.slice(0, end))
  }

  end(): void {
    this.#read(this.#held)
    this.#tokenizer.end()
  }

  #read(chunk: string): void {
    this.#carry = (this.#carry + this.#chunk.slice(-MAX_NAME_LENGTH)).slice(-MAX_NAME_LENGTH)
    this.#chunkStart += this.#chunk.length
    this.#chunk = chunk
    let start = 0
    for (let mark = chunk.indexOf(CDATA_MARK); mark !== -1; mark = chunk.indexOf(CDATA_MARK, start)) {
      this.#tokenizer.write(chunk.slice(start, mark))
      this.#tokenizer.write(this.#events.inForeignContent() ? CDATA_MARK : COMMENT_MARK)
      start = mark + CDATA_MARK.length
    }
    this.#tokenizer.write(chunk.slice(start))
  }

  #callbacks(): ConstructorParameters<typeof Tokenizer>[1] {
    const ignore = (): void => undefined
    return {
      onopentagname: (start, end) => {
        this.#name = this.#slice(start, end).toLowerCase()
        this.#wanted = this.#events.wantedAttributes(this.#name)
        this.#attributes = undefined
      },
      onattribname: (start, end) => {
        this.#attribute = null
        if (!this.#wanted) return
        const name = this.#slice(start, end).toLowerCase()
        if (!this.#wanted.has(name) || this.#attributes?.has(name)) return
        this.#attribute = name
        this.#value = ''
      },
      onattribdata: (start, end) => {
        if (this.#attribute === null || this.#value.length >= MAX_VALUE_LENGTH) return
        this.#value += this.#slice(start, Math.min(end, start + MAX_VALUE_LENGTH - this.#value.length))
      },
      onattribend: () => {
        if (this.#attribute === null) return
        this.#attributes ??= new Map()
        this.#attributes.set(this.#attribute, decodeHTMLAttribute(this.#value))
      },
      onopentagend: () => {
        this.#events.openTag(this.#name, this.#attributes ?? NO_ATTRIBUTES, false)
      },
      onselfclosingtag: () => {
        this.#events.openTag(this.#name, this.#attributes ?? NO_ATTRIBUTES, true)
      },
      onclosetag: (start, end) => {
        this.#events.closeTag(this.#slice(start, end).toLowerCase())
      },
      ontext: (start, end) => {
        if (this.#events.wantsText()) this.#events.text(this.#slice(start, end))
      },
      onattribentity: ignore,
      ontextentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    }
  }

  /** The document's text between two positions; of what lies before the chunk only the last characters are left. */
  #slice(start: number, end: number): string {
    const from = start - this.#chunkStart
    const to = end - this.#chunkStart
    if (from >= 0) return this.#chunk.slice(from, to)
    const carried = this.#carry.slice(
      Math.max(0, this.#carry.length + from),
      this.#carry.length + Math.min(0, to),
    )
    return carried + this.#chunk.slice(0, Math.max(0, to))
  }
}
