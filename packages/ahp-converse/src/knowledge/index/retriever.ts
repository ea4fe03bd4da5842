import type { Passage } from '../documents/passage.js'

/** Finds the passages for a question: by words (the default), by SQLite, by embeddings, by a search service. */
export interface Retriever {
  /** Takes passages in; one whose id it has is replaced. */
  add(passages: readonly Passage[]): void | Promise<void>
  /** Forgets passages; ids it does not have are ignored. */
  remove(ids: readonly string[]): void | Promise<void>
  /** Forgets every passage but these: what an earlier run of the program left behind. */
  retain?(ids: ReadonlySet<string>): void | Promise<void>
  /** The best passages, best first. */
  search(query: string, options: SearchOptions): readonly Hit[] | Promise<readonly Hit[]>
  /** How much each term tells passages apart, 0 or more: the rarer, the more. Without it all terms weigh the same. */
  weigh?(terms: readonly string[]): readonly number[] | Promise<readonly number[]>
}

/** What a retriever is asked besides the query. */
export interface SearchOptions {
  readonly limit: number
  /** Only passages in this language: a primary subtag such as `de`. */
  readonly language?: string
  readonly signal?: AbortSignal
}

/** A passage that was found. */
export interface Hit {
  readonly passage: Passage
  /** Higher is better; comparable within one search only. */
  readonly score: number
  /** Whether it is about the question. Where absent, the words that both have in common decide. */
  readonly relevant?: boolean
}
