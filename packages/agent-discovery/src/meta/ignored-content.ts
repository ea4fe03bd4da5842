/** Elements whose content is not part of the page: inert, text, or another document. */
const INERT: ReadonlySet<string> = new Set([
  'template',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
  'xmp',
  'svg',
  'math',
])

/** Foreign content, and the elements in it that hold HTML again. */
const INTEGRATION_POINTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['svg', new Set(['foreignobject', 'desc', 'title'])],
  ['math', new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])],
])

/** Start tags that end foreign content (HTML standard, 13.2.6.5). */
const BREAKOUTS: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

const MAX_DEPTH = 512

/** Follows the open elements whose content does not count, and only those. */
export class IgnoredContent {
  readonly #open: string[] = []

  /** Whether SVG or MathML is open innermost. */
  get inForeign(): boolean {
    return this.#pointsIn() !== undefined
  }

  get active(): boolean {
    return this.#open.length > 0
  }

  /** Takes note of a start tag; true if the element belongs to the page. */
  open(name: string, selfClosing: boolean): boolean {
    if (this.#open.length === 0 && !INERT.has(name)) return true
    if (this.inForeign && BREAKOUTS.has(name)) this.#leaveForeign()
    const inside = this.active
    const foreign = this.inForeign || INTEGRATION_POINTS.has(name)
    if (this.#nests(name) && !(selfClosing && foreign) && this.#open.length < MAX_DEPTH) this.#open.push(name)
    return !inside
  }

  close(name: string): void {
    if (this.#open.length === 0 || this.#open.at(-1) === 'plaintext') return
    if (this.inForeign && (name === 'p' || name === 'br')) this.#leaveForeign()
    const index = this.#open.lastIndexOf(name)
    if (index === -1) return
    const template = this.#open.lastIndexOf('template')
    if (index >= template) this.#open.length = index
  }

  /** Whether an element with content of its own opens. In foreign content the names of HTML mean nothing. */
  #nests(name: string): boolean {
    const points = this.#pointsIn()
    return points ? points.has(name) || name === this.#open.at(-1) : INERT.has(name)
  }

  /** The integration points of the foreign content that is open innermost, if any is. */
  #pointsIn(): ReadonlySet<string> | undefined {
    return INTEGRATION_POINTS.get(this.#open.at(-1) ?? '')
  }

  #leaveForeign(): void {
    while (this.inForeign) this.#open.pop()
  }
}
