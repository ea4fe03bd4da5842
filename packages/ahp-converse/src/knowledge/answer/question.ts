import type { LanguageSet } from '../index/language-set.js'
import type { Retriever } from '../index/retriever.js'
import { primaryTag } from '../text/language.js'

/** The terms of a question with their weights, read in the language of the passages that may answer it. */
export type WeightedTerms = ReadonlyMap<string, number>

/** What is asked, as each language of the documents reads it. */
export class Question {
  readonly text: string
  readonly #weights: ReadonlyMap<string, WeightedTerms>

  constructor(text: string, weights: ReadonlyMap<string, WeightedTerms>) {
    this.text = text
    this.#weights = weights
  }

  /** Words of asking weigh nothing, unless there is nothing else. */
  termsIn(language: string): WeightedTerms {
    return this.#weights.get(primaryTag(language)) ?? new Map()
  }

  /** True where no language finds a word in it that carries meaning. */
  get isEmpty(): boolean {
    return [...this.#weights.values()].every(({ size }) => size === 0)
  }

  /** The fewest words that carry meaning in any language. */
  get size(): number {
    return Math.min(...[...this.#weights.values()].map(({ size }) => size))
  }
}

export async function readQuestion(
  text: string,
  languages: LanguageSet,
  retriever: Retriever,
  askingWords: string,
): Promise<Question> {
  const weights = new Map<string, WeightedTerms>()
  for (const language of languages) {
    const all = new Set(language.terms(text))
    const asking = new Set(language.terms(askingWords))
    const telling = [...all].filter((term) => !asking.has(term))
    const terms = telling.length === 0 ? [...all] : telling
    const weighed = (await retriever.weigh?.(terms)) ?? []
    weights.set(language.tag, new Map(terms.map((term, index) => [term, weighed[index] ?? 1])))
  }
  return new Question(text, weights)
}
