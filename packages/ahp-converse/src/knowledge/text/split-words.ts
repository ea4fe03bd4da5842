import { segmentsOf } from './segments-of.js'

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
// The same for plain text, at a fifth of the time.
const ASCII_WORDS = /[a-z0-9]+/g
/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const CAMEL_CASE = /\p{Ll}\p{Lu}/u
const ASCII_CAMEL_CASE = /[a-z][A-Z]/
const NAMES = /[\p{L}\p{N}]+/gu
const NOT_ASCII = /[^\0-\x7f]/
const MAX_WORD_LENGTH = 64

let segmenter: Intl.Segmenter | undefined

/** The words of a text in any script, in lower case and compatible composed form (NFKC). */
export function splitWords(text: string): string[] {
  const plain = !NOT_ASCII.test(text)
  const spelled = plain ? text : text.normalize('NFKC')
  const hasNames = (plain ? ASCII_CAMEL_CASE : CAMEL_CASE).test(spelled)
  const found =
    (hasNames ? withParts(spelled) : spelled).toLowerCase().match(plain ? ASCII_WORDS : WORDS) ?? []
  if (!plain && found.some(isUnspaced)) return found.flatMap((run) => (isUnspaced(run) ? segment(run) : run))
  return found.some(isTooLong) ? found.map(cut) : found
}

/** A name such as `timeoutMs` is met as a whole and by its parts. */
function withParts(text: string): string {
  return text.replace(NAMES, (name) =>
    CAMEL_CASE.test(name) ? `${name} ${name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')}` : name,
  )
}

function isUnspaced(run: string): boolean {
  return UNSPACED.test(run)
}

/** Words by dictionary, which is the same for every locale. */
function segment(run: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  const words: string[] = []
  for (const { segment, isWordLike } of segmentsOf(run, segmenter))
    if (isWordLike === true) words.push(cut(segment))
  return words
}

function isTooLong(word: string): boolean {
  return word.length > MAX_WORD_LENGTH
}

/** What is longer is no word but data, which would only fill the index. */
function cut(word: string): string {
  return isTooLong(word) ? word.slice(0, MAX_WORD_LENGTH) : word
}
