import { splitWords } from './split-words.js'

/** How texts in one language become the terms that are looked up. */
export interface Language {
  /** The primary subtag of its BCP 47 tag. */
  readonly tag: string
  /** The stems of the words that carry meaning, in the order of the text; a word that occurs twice is there twice. */
  terms(text: string): string[]
}

interface Stemmer {
  readonly stemmer: (word: string) => string
}
interface StopWords {
  readonly stopwords: readonly string[]
}

/** Snowball stemmers and stop words; a language that is not here is looked up by its whole words. */
const LANGUAGES = {
  ar: [() => import('@orama/stemmers/arabic'), () => import('@orama/stopwords/arabic')],
  bg: [() => import('@orama/stemmers/bulgarian'), () => import('@orama/stopwords/bulgarian')],
  da: [() => import('@orama/stemmers/danish'), () => import('@orama/stopwords/danish')],
  de: [() => import('@orama/stemmers/german'), () => import('@orama/stopwords/german')],
  el: [() => import('@orama/stemmers/greek'), () => import('@orama/stopwords/greek')],
  en: [() => import('@orama/stemmers/english'), () => import('@orama/stopwords/english')],
  es: [() => import('@orama/stemmers/spanish'), () => import('@orama/stopwords/spanish')],
  fi: [() => import('@orama/stemmers/finnish'), () => import('@orama/stopwords/finnish')],
  fr: [() => import('@orama/stemmers/french'), () => import('@orama/stopwords/french')],
  ga: [() => import('@orama/stemmers/irish'), () => import('@orama/stopwords/irish')],
  hi: [() => import('@orama/stemmers/indian'), () => import('@orama/stopwords/indian')],
  hu: [() => import('@orama/stemmers/hungarian'), () => import('@orama/stopwords/hungarian')],
  hy: [() => import('@orama/stemmers/armenian'), () => import('@orama/stopwords/armenian')],
  id: [() => import('@orama/stemmers/indonesian'), () => import('@orama/stopwords/indonesian')],
  it: [() => import('@orama/stemmers/italian'), () => import('@orama/stopwords/italian')],
  ja: [undefined, () => import('@orama/stopwords/japanese')],
  lt: [() => import('@orama/stemmers/lithuanian'), () => import('@orama/stopwords/lithuanian')],
  ne: [() => import('@orama/stemmers/nepali'), () => import('@orama/stopwords/nepali')],
  nl: [() => import('@orama/stemmers/dutch'), () => import('@orama/stopwords/dutch')],
  no: [() => import('@orama/stemmers/norwegian'), () => import('@orama/stopwords/norwegian')],
  pt: [() => import('@orama/stemmers/portuguese'), () => import('@orama/stopwords/portuguese')],
  ro: [() => import('@orama/stemmers/romanian'), () => import('@orama/stopwords/romanian')],
  ru: [() => import('@orama/stemmers/russian'), () => import('@orama/stopwords/russian')],
  sl: [undefined, () => import('@orama/stopwords/slovenian')],
  sr: [() => import('@orama/stemmers/serbian'), () => import('@orama/stopwords/serbian')],
  sv: [() => import('@orama/stemmers/swedish'), () => import('@orama/stopwords/swedish')],
  ta: [() => import('@orama/stemmers/tamil'), () => import('@orama/stopwords/tamil')],
  tr: [() => import('@orama/stemmers/turkish'), () => import('@orama/stopwords/turkish')],
  uk: [() => import('@orama/stemmers/ukrainian'), () => import('@orama/stopwords/ukrainian')],
  zh: [undefined, () => import('@orama/stopwords/mandarin')],
} satisfies Readonly<
  Record<string, readonly [(() => Promise<Stemmer>) | undefined, () => Promise<StopWords>]>
>

const loaded = new Map<string, Promise<Language>>()

/** The language of a BCP 47 tag, of which the primary subtag counts. */
export function loadLanguage(tag: string): Promise<Language> {
  const primary = primaryTag(tag)
  let language = loaded.get(primary)
  if (language === undefined) {
    language = load(primary)
    // Tags are written by whoever writes documents; only the languages known here are worth keeping.
    if (Object.hasOwn(LANGUAGES, primary)) loaded.set(primary, language)
  }
  return language
}

/** A BCP 47 tag in canonical form, also of what is written `en_US`; undefined for what is none. */
export function languageTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

export function primaryTag(tag: string): string {
  const primary = (tag.split(/[-_]/, 1)[0] ?? '').toLowerCase()
  return primary === 'nb' || primary === 'nn' ? 'no' : primary
}

async function load(tag: string): Promise<Language> {
  if (!Object.hasOwn(LANGUAGES, tag)) return createLanguage(tag, (word) => word, [])
  const [loadStemmer, loadStopWords] = LANGUAGES[tag as keyof typeof LANGUAGES]
  const { stopwords } = await loadStopWords()
  const missing = tag === 'en' ? ['a'] : []
  const { stemmer } = loadStemmer === undefined ? { stemmer: (word: string) => word } : await loadStemmer()
  return createLanguage(tag, stemmer, [...stopwords, ...missing])
}

/** Words whose stem is remembered; a text of another language would fill memory for nothing. */
const MAX_REMEMBERED_WORDS = 50_000

function createLanguage(tag: string, stem: (word: string) => string, stopWords: readonly string[]): Language {
  const ignored = new Set(stopWords)
  const stems = new Map<string, string>()
  return {
    tag,
    terms(text) {
      const terms: string[] = []
      for (const word of splitWords(text)) {
        if (ignored.has(word)) continue
        let term = stems.get(word)
        if (term === undefined) {
          term = withoutAccents(stem(word))
          if (stems.size >= MAX_REMEMBERED_WORDS) stems.clear()
          stems.set(word, term)
        }
        if (term !== '') terms.push(term)
      }
      return terms
    },
  }
}

/** People leave them out when they ask. */
function withoutAccents(word: string): string {
  return /[^\0-\x7f]/.test(word) ? word.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : word
}
