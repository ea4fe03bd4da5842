import type { Passage } from '../documents/passage.js'
import { primaryTag } from '../text/language.js'
import { Bm25Index } from './bm25-index.js'
import { countTerms } from './count-terms.js'
import { LanguageSet } from './language-set.js'
import type { Hit, Retriever, SearchOptions } from './retriever.js'

/** Looks passages up by the stems of their words, in memory: BM25 with k1 1.2 and b 0.75. */
export function createBm25Retriever(): Retriever {
  return new Bm25Retriever()
}

class Bm25Retriever implements Retriever {
  readonly #passages = new Map<string, Passage>()
  readonly #index = new Bm25Index()
  readonly #languages = new LanguageSet()

  async add(passages: readonly Passage[]): Promise<void> {
    for (const passage of passages) {
      const language = this.#languages.get(passage.language) ?? (await this.#languages.load(passage.language))
      this.#index.add(passage.id, countTerms(passage, language))
      this.#passages.set(passage.id, passage)
    }
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.#index.remove(id)
      this.#passages.delete(id)
    }
  }

  search(query: string, { limit, language }: SearchOptions): Hit[] {
    const accepts = (id: string): boolean => {
      return language === undefined || primaryTag(this.#passages.get(id)?.language ?? '') === language
    }
    return this.#index.search(this.#languages.terms(query), limit, accepts).flatMap(({ key, score }) => {
      const passage = this.#passages.get(key)
      return passage === undefined ? [] : { passage, score }
    })
  }

  weigh(terms: readonly string[]): number[] {
    return terms.map((term) => this.#index.weigh(term))
  }
}
