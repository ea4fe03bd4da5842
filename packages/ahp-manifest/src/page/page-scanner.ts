/** Where content can be added to a page: behind everything in its head, and before `</body>`. */
export type Place = 'head-end' | 'body-end'

/**
 * Finds, while a page streams by, the places where content can be added without touching anything: not in a script, a
 * style, a comment or an attribute. Follows the HTML standard as far as that needs: the tokenizer (section 13.2.5), and
 * the tree builder in what ends a head whose tags are left out (13.2.6.4.4). Works on text with one character per byte.
 */
export class PageScanner {
  /** The text is a whole page, not a fragment that a script will put into one. */
  isPage: boolean = false
  /** The page already has a notice. */
  hasNotice: boolean = false
  /** The tags of its head, as written. */
  readonly headTags: Set<string> = new Set<string>()
  #place: Place | undefined
  #isHeadOpen = true
  /** Templates open in the head: what is in them ends no head. */
  #templates = 0
  #state: State = 'data'
  /** Start of the tag being read, as far as it is needed to recognise a notice. */
  #tag = ''
  #textElement: string | undefined
  #hasAttributeName = false
  #scriptEscape: 0 | 1 | 2 = 0

  /** True where the end of the text is a place for content. */
  get isBetweenTokens(): boolean {
    return this.#state === 'data'
  }

  /**
   * Reads on in the text. At the end of the page, whatever was not understood is read once more with spaces behind it.
   *
   * @returns how much of it was understood: the rest must come first in the next text. It is a few characters, or all
   * that follows a place.
   */
  read(text: string): { readonly position: number; readonly place: Place | undefined } {
    let position = 0
    while (position < text.length) {
      const next = this.#step(text, position)
      if (next === undefined) break
      position = next
      if (this.#place === undefined) continue
      const place = this.#place
      this.#place = undefined
      return { position, place }
    }
    return { position, place: undefined }
  }

  /** The position after one step; undefined when more text is needed to decide. */
  #step(text: string, position: number): number | undefined {
    switch (this.#state) {
      case 'data':
        return this.#data(text, position)
      case 'tag':
        return this.#insideTag(text, position)
      case 'before-value':
        return this.#beforeValue(text, position)
      case 'unquoted':
        return this.#until(/[\s>]/g, text, position, (end) => this.#resumeTag(end - 1))
      case 'double-quoted':
        return this.#until(/"/g, text, position, (end) => this.#resumeTag(end))
      case 'single-quoted':
        return this.#until(/'/g, text, position, (end) => this.#resumeTag(end))
      case 'comment':
        return this.#until(/--!?>/g, text, position, (end) => this.#enter('data', end), 3)
      case 'declaration':
        return this.#until(/>/g, text, position, (end) => this.#enter('data', end))
      case 'text':
        return this.#insideText(text, position)
      case 'plaintext':
        return text.length
    }
  }

  #data(text: string, position: number): number | undefined {
    const start = text.indexOf('<', position)
    const end = start < 0 ? text.length : start
    if (end > position) return this.#isHeadOpen ? this.#textInHead(text, position, end) : end
    WELL_FORMED_TAG.lastIndex = start
    const [whole, slash, name] = WELL_FORMED_TAG.exec(text) ?? []
    if (whole === undefined || name === undefined) return this.#oddToken(text, start)
    const isEndTag = slash === '/'
    if (this.#isPlace(name.toLowerCase(), isEndTag)) return start
    this.#startTag(name.toLowerCase(), isEndTag)
    this.#tag = whole
    return this.#endOfTag(start + whole.length)
  }

  /** Text other than white space begins the body. */
  #textInHead(text: string, position: number, end: number): number {
    NOT_SPACE.lastIndex = position
    const start = NOT_SPACE.exec(text)?.index ?? end
    if (start >= end || this.#templates > 0) return end
    this.#reach('head-end')
    return start
  }

  #oddToken(text: string, start: number): number | undefined {
    const token = text.slice(start, start + LONGEST_TOKEN)
    if (token.length < LONGEST_TOKEN) return undefined
    if (token.startsWith('<!--')) {
      const empty = /^<!---?>/.exec(token)
      return empty === null ? this.#enter('comment', start + 4) : start + empty[0].length
    }
    if (/^<(?:[!?]|\/[^a-z>])/i.test(token)) {
      if (/^<!doctype/i.test(token)) this.isPage = true
      return this.#enter('declaration', start + 2)
    }
    const [tag = '', slash, name] = /^<(\/?)([a-z][^\s/>]*)/i.exec(token) ?? []
    if (name === undefined) return token.startsWith('</>') ? start + 3 : this.#loneBracket(start)
    if (this.#isPlace(name.toLowerCase(), slash === '/')) return start
    this.#startTag(name.toLowerCase(), slash === '/')
    return this.#resumeTag(start + tag.length)
  }

  #loneBracket(start: number): number {
    if (!this.#isHeadOpen || this.#templates > 0) return start + 1
    this.#reach('head-end')
    return start
  }

  /** Whether a place is before this tag. */
  #isPlace(name: string, isEndTag: boolean): boolean {
    if (this.#isHeadOpen && this.#endsHead(name, isEndTag)) {
      if (!isEndTag && PAGE_ELEMENTS.has(name)) this.isPage = true
      this.#reach('head-end')
    } else if (isEndTag && name === 'body') this.#reach('body-end')
    return this.#place !== undefined
  }

  #endsHead(name: string, isEndTag: boolean): boolean {
    if (name === 'template') this.#templates = Math.max(0, this.#templates + (isEndTag ? -1 : 1))
    if (this.#templates > 0) return false
    return isEndTag ? ENDS_OF_HEAD.has(name) : !HEAD_ELEMENTS.has(name)
  }

  #reach(place: Place): void {
    this.#place = place
    if (place === 'head-end') this.#isHeadOpen = false
  }

  #startTag(name: string, isEndTag: boolean): void {
    this.#tag = ''
    const isText = TEXT_ELEMENTS.has(name) || (name === 'noscript' && this.#isHeadOpen)
    this.#textElement = !isEndTag && isText ? name : undefined
    if (!isEndTag && PAGE_ELEMENTS.has(name)) this.isPage = true
  }

  #resumeTag(position: number): number {
    this.#hasAttributeName = false
    return this.#enter('tag', position)
  }

  #insideTag(text: string, position: number): number {
    PART_OF_TAG.lastIndex = position
    const part = PART_OF_TAG.exec(text)?.[0] ?? ''
    const end = position + part.length
    this.#remember(text, position, end)
    if (part === '>') return this.#endOfTag(end)
    if (part === '/') return this.#resumeTag(end)
    if (part === '=' && this.#hasAttributeName) return this.#enter('before-value', end)
    if (part.trim() !== '') this.#hasAttributeName = true
    return end
  }

  #beforeValue(text: string, position: number): number {
    const character = text[position] ?? ''
    if (/\s/.test(character)) return position + 1
    if (character === '"') return this.#enter('double-quoted', position + 1)
    if (character === "'") return this.#enter('single-quoted', position + 1)
    return character === '>' ? this.#resumeTag(position) : this.#enter('unquoted', position)
  }

  #endOfTag(position: number): number {
    if (/ahp-notice|AI Agent Notice/i.test(this.#tag)) this.hasNotice = true
    if (this.#isHeadOpen && this.headTags.size < MOST_HEAD_TAGS) this.headTags.add(this.#tag)
    if (this.#textElement === undefined) return this.#enter('data', position)
    this.#scriptEscape = 0
    return this.#enter(this.#textElement === 'plaintext' ? 'plaintext' : 'text', position)
  }

  /** A script goes on behind `</script>` where `<!--` and `<script` came before ("double escaped"). */
  #insideText(text: string, position: number): number | undefined {
    const name = this.#textElement ?? ''
    const delimiter = name === 'script' ? SCRIPT_DELIMITER : endTagOf(name)
    delimiter.lastIndex = position
    const match = delimiter.exec(text)
    if (match === null) return held(text, position, LONGEST_TOKEN)
    const end = match.index + match[0].length
    switch (match[0].toLowerCase()) {
      case '<!--':
        if (this.#scriptEscape === 0) this.#scriptEscape = 1
        return end - 2
      case '-->':
        this.#scriptEscape = 0
        return end
      case '<script':
        if (this.#scriptEscape === 1) this.#scriptEscape = 2
        return end
      default:
        if (this.#scriptEscape === 2) {
          this.#scriptEscape = 1
          return end
        }
        this.#startTag(name, true)
        return this.#resumeTag(end)
    }
  }

  #until(
    delimiter: RegExp,
    text: string,
    position: number,
    then: (end: number) => number,
    longest = 0,
  ): number | undefined {
    delimiter.lastIndex = position
    const match = delimiter.exec(text)
    const end = match === null ? text.length : match.index + match[0].length
    if (this.#state !== 'comment' && this.#state !== 'declaration') this.#remember(text, position, end)
    return match === null ? held(text, position, longest) : then(end)
  }

  #remember(text: string, from: number, to: number): void {
    if (this.#tag.length < LONGEST_TAG_START)
      this.#tag += text.slice(from, Math.min(to, from + LONGEST_TAG_START))
  }

  #enter(state: State, position: number): number {
    this.#state = state
    return position
  }
}

type State =
  | 'data'
  | 'tag'
  | 'before-value'
  | 'unquoted'
  | 'double-quoted'
  | 'single-quoted'
  | 'comment'
  | 'declaration'
  | 'text'
  | 'plaintext'

/** Content that is text up to the end tag: what looks like a tag in there is none. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
])
const PAGE_ELEMENTS: ReadonlySet<string> = new Set(['html', 'head', 'body'])
/** Start tags that leave the head open. */
const HEAD_ELEMENTS: ReadonlySet<string> = new Set([
  'html',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'basefont',
  'bgsound',
  'style',
  'script',
  'noscript',
  'noframes',
  'template',
])
/** End tags that close it; others mean nothing in there. */
const ENDS_OF_HEAD: ReadonlySet<string> = new Set(['head', 'body', 'html', 'br'])

/** Beyond this the name of a tag has no meaning here. */
const LONGEST_TOKEN = 16
const LONGEST_TAG_START = 1024
const MOST_HEAD_TAGS = 200
/** A tag as nearly everybody writes it, all at once. What it does not match is read part by part. */
const WELL_FORMED_TAG =
  /<(\/?)([a-z][a-z0-9-]*)(?:\s+[a-z_:@][\w:.@-]*(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*\s*\/?>/iy
const NOT_SPACE = /[^\t\n\f\r ]/g
const PART_OF_TAG = /\s+|[^\s/>=]+|[/>=]/y
const SCRIPT_DELIMITER = /<!--|-->|<\/?script(?=[\s/>])/gi

function endTagOf(name: string): RegExp {
  return new RegExp(`</${name}(?=[\\s/>])`, 'gi')
}

/** Where to go on in the next text: before anything that could be the start of a delimiter, or not at all yet. */
function held(text: string, position: number, longest: number): number | undefined {
  const end = Math.max(position, text.length - longest)
  return end > position || longest === 0 ? end : undefined
}
