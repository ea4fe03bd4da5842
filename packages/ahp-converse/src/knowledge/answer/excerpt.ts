import type { Block } from '../documents/block.js'
import { nameOf, type Passage } from '../documents/passage.js'
import { splitSentences } from '../text/split-sentences.js'
import { estimateTokens } from '../../estimate-tokens.js'

/** Which of several texts have what is wanted between them, the best one first; none where nothing wanted is in any. */
type Cover = (texts: readonly string[]) => readonly number[]

const INTRODUCTION = /[:：]$/u

/** Parts of one passage, word for word and in its order, within a number of tokens. */
export class Excerpt {
  readonly #passage: Passage
  readonly #cover: Cover
  readonly #maxTokens: number
  readonly #texts = new Map<number, string>()
  #tokens = 0

  constructor(passage: Passage, maxTokens: number, cover: Cover) {
    this.#passage = passage
    this.#maxTokens = maxTokens
    this.#cover = cover
  }

  get tokens(): number {
    return this.#tokens
  }

  get text(): string {
    const texts = [...this.#texts].sort(([a], [b]) => a - b)
    const quoted = texts.map(([, text]) => text).join('\n\n')
    const [first = -1] = texts[0] ?? []
    return this.#passage.blocks[first]?.kind === 'list' ? this.#headed(quoted) : quoted
  }

  /** "Mounted tyres" says neither that they can be returned nor that they cannot: what the items are is in the heading. */
  #headed(text: string): string {
    const name = nameOf(this.#passage)
    const headed = `${name}\n${text}`
    return name !== '' && estimateTokens(headed) <= this.#maxTokens ? headed : text
  }

  /**
   * Takes a block: whole where it is not too long, else its best sentences or items; with what introduces
   * it or what it introduces.
   */
  take(index: number, preferredTokens: number): void {
    const block = this.#passage.blocks[index]
    if (block === undefined || this.#texts.has(index)) return
    const before = this.#introductionOf(index)
    const room = this.#room - estimateTokens(`${before ?? ''}\n\n`)
    const text = this.#render(block, room, Math.min(room, preferredTokens), before !== undefined)
    if (text === undefined) return
    if (before !== undefined) this.#put(index - 1, before)
    this.#put(index, text)
    if (INTRODUCTION.test(text)) this.takeWhole(index + 1)
  }

  /** Takes a block if all of it fits. */
  takeWhole(index: number): boolean {
    const block = this.#passage.blocks[index]
    if (block === undefined) return false
    if (this.#texts.has(index)) return true
    const text = wholeText(block)
    if (estimateTokens(text) > this.#room) return false
    this.#put(index, text)
    // An introduction without what it introduces is half a sentence.
    return !INTRODUCTION.test(text) || this.takeWhole(index + 1)
  }

  get #room(): number {
    return this.#maxTokens - this.#tokens
  }

  #put(index: number, text: string): void {
    this.#texts.set(index, text)
    this.#tokens += estimateTokens(`${text}\n\n`)
  }

  /** The sentence in front of a list or of code that leads up to it. */
  #introductionOf(index: number): string | undefined {
    const before = this.#passage.blocks[index - 1]
    if (this.#passage.blocks[index]?.kind === 'prose' || before?.kind !== 'prose') return undefined
    if (this.#texts.has(index - 1) || !INTRODUCTION.test(before.text)) return undefined
    return splitSentences(before.text, this.#passage.language).at(-1)
  }

  #render(block: Block, room: number, preferred: number, isIntroduced: boolean): string | undefined {
    const whole = wholeText(block)
    const size = estimateTokens(whole)
    // Of what an introduction holds together, a part might say the opposite of the whole.
    if (block.kind === 'list' && !block.ordered && !isIntroduced) return this.#bestItems(block.items, room)
    if (size <= preferred || (block.kind !== 'prose' && size <= room)) return whole
    if (block.kind === 'code') return undefined
    if (block.kind === 'list') return this.#bestItems(block.items, room)
    return this.#bestSentences(splitSentences(block.text, this.#passage.language), preferred)
  }

  /** The best sentence and those around it, as they stand. */
  #bestSentences(sentences: readonly string[], room: number): string | undefined {
    const middle = this.#cover(sentences)[0] ?? 0
    let [start, end] = [middle, middle + 1]
    const textOf = (from: number, to: number): string => sentences.slice(from, to).join(' ')
    if (estimateTokens(textOf(start, end)) > room) return cut(sentences[middle] ?? '', room)
    if (start > 0 && estimateTokens(textOf(start - 1, end)) <= room) start--
    while (end < sentences.length && estimateTokens(textOf(start, end + 1)) <= room) end++
    while (start > 0 && estimateTokens(textOf(start - 1, end)) <= room) start--
    return textOf(start, end)
  }

  /** The items that have what is wanted, else the first ones, in their order. */
  #bestItems(items: readonly string[], room: number): string | undefined {
    const covering = this.#cover(items)
    const chosen: number[] = []
    let left = room
    for (const index of covering.length > 0 ? covering : items.keys()) {
      left -= estimateTokens(`- ${items[index] ?? ''}\n`)
      if (left < 0) break
      chosen.push(index)
    }
    if (chosen.length === 0) return cut(`- ${items[covering[0] ?? 0] ?? ''}`, room)
    return chosen
      .sort((a, b) => a - b)
      .map((index) => `- ${items[index] ?? ''}`)
      .join('\n')
  }
}

function wholeText(block: Block): string {
  if (block.kind === 'prose') return block.text
  if (block.kind === 'list') {
    return block.items
      .map((item, index) => (block.ordered ? `${index + 1}. ${item}` : `- ${item}`))
      .join('\n')
  }
  const fence = '`'.repeat(Math.max(3, ...[...block.text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}${block.syntax}\n${block.text}\n${fence}`
}

/** The beginning of a sentence that is longer than what may be said; between words where the script has spaces. */
function cut(sentence: string, maxTokens: number): string | undefined {
  let [low, high] = [0, sentence.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateTokens(`${sentence.slice(0, middle)}…`) <= maxTokens) low = middle
    else high = middle - 1
  }
  const start = sentence.slice(0, low)
  const lastSpace = start.lastIndexOf(' ')
  const text = (lastSpace > low / 2 ? start.slice(0, lastSpace) : start)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
  return text === '' ? undefined : `${text}…`
}
