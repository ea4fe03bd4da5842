import type { LanguageSet } from '../index/language-set.js'
import type { Retriever } from '../index/retriever.js'
import { primaryTag } from '../text/language.js'

/** A question as one language of the documents reads it. */
export interface Reading {
  /** Its terms with their weights; words of asking are not among them, unless there is nothing else. */
  readonly terms: ReadonlyMap<string, number>
  /** All its terms, words of asking too. */
  readonly spoken: ReadonlySet<string>
}

const NOTHING: Reading = { terms: new Map(), spoken: new Set() }

/** What is asked. */
export class Question {
  readonly text: string
  readonly #readings: ReadonlyMap<string, Reading>

  constructor(text: string, readings: ReadonlyMap<string, Reading>) {
    this.text = text
    this.#readings = readings
  }

  in(language: string): Reading {
    return this.#readings.get(primaryTag(language)) ?? NOTHING
  }

  /** The fewest words that carry meaning, over all languages. */
  get size(): number {
    return Math.min(...[...this.#readings.values()].map(({ terms }) => terms.size))
  }
}

export async function readQuestion(
  text: string,
  languages: LanguageSet,
  retriever: Retriever,
  askingWords: string,
): Promise<Question> {
  const readings = new Map<string, Reading>()
  for (const language of languages) {
    const spoken = new Set(language.terms(text))
    const asking = new Set(language.terms(askingWords))
    const telling = [...spoken].filter((term) => !asking.has(term))
    const terms = telling.length === 0 ? [...spoken] : telling
    const weights = (await retriever.weigh?.(terms)) ?? []
    readings.set(language.tag, {
      terms: new Map(terms.map((term, index) => [term, weights[index] ?? 1])),
      spoken,
    })
  }
  return new Question(text, readings)
}
