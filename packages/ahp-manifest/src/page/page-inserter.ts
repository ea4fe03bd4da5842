import type { BodyChange } from './body-change.js'
import { PageScanner, type Place } from './page-scanner.js'

/** What is added to a page: HTML in ASCII, which is right in whatever charset the page is. */
export interface PageAdditions {
  /** Elements for the end of the head. One that stands in there already, letter by letter, is not added again. */
  readonly head?: readonly string[]
  /** Goes before `</body>`, or to the end of a page that leaves that tag out; not if the page has a notice for agents. */
  readonly notice?: string
}

/**
 * Adds to a page that streams through. A fragment of a page and a page in UTF-16 pass unchanged. Nothing is kept back but
 * a few bytes at the end of a chunk. Where nothing ends the head, its elements go with the notice.
 */
export class PageInserter implements BodyChange {
  readonly #latin1 = new TextDecoder('latin1')
  readonly #scanner = new PageScanner()
  readonly #notice: string
  #head: readonly string[]
  #held: Uint8Array = new Uint8Array(0)
  #isFirst = true
  #isDone = false

  constructor({ head = [], notice = '' }: PageAdditions) {
    this.#head = head
    this.#notice = notice
  }

  write(chunk: Uint8Array): readonly Uint8Array[] {
    if (this.#isDone) return [chunk]
    const data = joined(this.#held, chunk)
    if (!this.#isFirst) return this.#goOn(data)
    if (data.length >= BYTE_ORDER_MARK_LENGTH) return this.#begin(data)
    this.#held = data
    return []
  }

  end(): readonly Uint8Array[] {
    if (this.#isDone) return []
    return [...this.#goOn(this.#held, END_OF_TEXT), ...this.#afterEnd()]
  }

  #afterEnd(): readonly Uint8Array[] {
    if (this.#isDone) return []
    const isPlace = this.#scanner.isPage && this.#scanner.isBetweenTokens
    return [this.#held, ...(isPlace ? this.#additions() : [])]
  }

  #begin(data: Uint8Array): readonly Uint8Array[] {
    this.#isFirst = false
    const start = this.#latin1.decode(data.subarray(0, BYTE_ORDER_MARK_LENGTH))
    if (/^(?:\xfe\xff|\xff\xfe)/.test(start)) {
      this.#isDone = true
      return [data]
    }
    if (start !== '\xef\xbb\xbf') return this.#goOn(data)
    return [data.subarray(0, BYTE_ORDER_MARK_LENGTH), ...this.#goOn(data.subarray(BYTE_ORDER_MARK_LENGTH))]
  }

  #goOn(data: Uint8Array, behind = ''): readonly Uint8Array[] {
    const text = this.#latin1.decode(data) + behind
    const pieces: Uint8Array[] = []
    let [given, end] = [0, 0]
    for (;;) {
      const { position, place } = this.#scanner.read(text.slice(end))
      end = Math.min(end + position, data.length)
      if (place === undefined) break
      const added = this.#additionsAt(place)
      if (added.length > 0) {
        pieces.push(data.subarray(given, end), ...added)
        given = end
      }
      if (place === 'head-end') continue
      this.#isDone = true
      return [...pieces, data.subarray(given)]
    }
    this.#held = data.subarray(end)
    return [...pieces, data.subarray(given, end)]
  }

  #additionsAt(place: Place): readonly Uint8Array[] {
    if (place === 'body-end') return this.#additions()
    return this.#scanner.isPage ? this.#headAdditions() : []
  }

  #headAdditions(): readonly Uint8Array[] {
    const missing = this.#head.filter((element) => !this.#scanner.headTags.has(element))
    this.#head = []
    return missing.length === 0 ? [] : [new TextEncoder().encode(missing.join('\n'))]
  }

  #additions(): readonly Uint8Array[] {
    const head = this.#headAdditions()
    return this.#scanner.hasNotice || this.#notice === ''
      ? head
      : [...head, new TextEncoder().encode(this.#notice)]
  }
}

const BYTE_ORDER_MARK_LENGTH = 3

/** Enough for the scanner to see that nothing follows. */
const END_OF_TEXT = ' '.repeat(64)

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
