import { segmentsOf } from './segments-of.js'

const segmenters = new Map<string, Intl.Segmenter>()
const MAX_SEGMENTERS = 64

/** An abbreviation or an initial, which a segmenter takes for the end of a sentence. */
const ABBREVIATION =
  /(?:^|[\s(["'])(?:\p{L}\.(?:\p{L}\.)*|e\.\s?g\.|i\.\s?e\.|etc\.|vs\.|cf\.|ca\.|approx\.|Mr\.|Mrs\.|Ms\.|Dr\.|Prof\.|St\.|No\.|Nr\.|Fig\.|bzw\.|usw\.|z\.\s?B\.|d\.\s?h\.|u\.\s?a\.|Abs\.|Art\.|т\.\s?[еКдпк]\.|ул\.|г\.|p\.\s?ex\.|Mme\.|M\.)\s*$/u

const ORDINAL = /(?:^|\s)\p{N}{1,2}\.\s*$/u
const CONTINUATION = /^\p{Ll}/u
/** No abbreviation is longer; looking further back would take a time that grows with the square of the text. */
const TAIL_LENGTH = 64

/** The sentences of a paragraph, whole and in order, without the space around them. */
export function splitSentences(paragraph: string, language: string): string[] {
  const sentences: string[] = []
  let start = 0
  let tail = ''
  for (const { segment, index } of segmentsOf(paragraph, segmenterOf(language))) {
    if (tail !== '' && !isUnfinished(tail) && !CONTINUATION.test(segment)) {
      push(sentences, paragraph.slice(start, index))
      start = index
      tail = ''
    }
    tail = (tail + segment).slice(-TAIL_LENGTH)
  }
  push(sentences, paragraph.slice(start))
  return sentences
}

function isUnfinished(text: string): boolean {
  return ABBREVIATION.test(text) || ORDINAL.test(text)
}

function push(sentences: string[], text: string): void {
  const sentence = text.trim()
  if (sentence !== '') sentences.push(sentence)
}

function segmenterOf(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language)
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
    if (segmenters.size >= MAX_SEGMENTERS) segmenters.clear()
    segmenters.set(language, segmenter)
  }
  return segmenter
}
