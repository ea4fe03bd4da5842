/** Robertson and Walker's constants as every textbook has them; nothing here was fitted to a collection. */
const K1 = 1.2
const B = 0.75
/** A dead entry costs time in every search; with more of them than living ones the lists are written anew. */
const MIN_DEAD_ENTRIES = 64

/** The entries that have a term: parallel lists, which take eight bytes or so each. */
interface Postings {
  readonly slots: number[]
  readonly counts: number[]
  /** Entries that are still there. */
  living: number
}

interface Entry {
  readonly key: string
  readonly terms: readonly string[]
  readonly counts: readonly number[]
  readonly length: number
}

export interface Scored {
  readonly key: string
  readonly score: number
}

/**
 * Okapi BM25 over bags of terms. Adding and removing cost time by the number of terms of the entry, a search by the length of the
 * lists of its terms.
 */
export class Bm25Index {
  readonly #postings = new Map<string, Postings>()
  readonly #slotOf = new Map<string, number>()
  #entries: (Entry | undefined)[] = []
  #totalLength = 0

  get size(): number {
    return this.#slotOf.size
  }

  /** `counts` says how often each term occurs; a fraction is a term that counts for more or less. */
  add(key: string, counts: ReadonlyMap<string, number>): void {
    this.remove(key)
    const entry = {
      key,
      terms: [...counts.keys()],
      counts: [...counts.values()],
      length: sum(counts.values()),
    }
    this.#place(entry)
    this.#totalLength += entry.length
  }

  #place(entry: Entry): void {
    const slot = this.#entries.push(entry) - 1
    this.#slotOf.set(entry.key, slot)
    for (const [index, term] of entry.terms.entries()) {
      let postings = this.#postings.get(term)
      if (postings === undefined) this.#postings.set(term, (postings = { slots: [], counts: [], living: 0 }))
      postings.slots.push(slot)
      postings.counts.push(entry.counts[index] ?? 0)
      postings.living++
    }
  }

  remove(key: string): void {
    const slot = this.#slotOf.get(key)
    const entry = slot === undefined ? undefined : this.#entries[slot]
    if (slot === undefined || entry === undefined) return
    this.#slotOf.delete(key)
    this.#entries[slot] = undefined
    this.#totalLength -= entry.length
    for (const term of entry.terms) {
      const postings = this.#postings.get(term)
      if (postings !== undefined && --postings.living === 0) this.#postings.delete(term)
    }
    if (this.#entries.length > 2 * this.size + MIN_DEAD_ENTRIES) this.#rewrite()
  }

  #rewrite(): void {
    const living = this.#entries.filter((entry) => entry !== undefined)
    this.#entries = []
    this.#postings.clear()
    for (const entry of living) this.#place(entry)
  }

  /** The inverse document frequency of a term, above 0 also for a term that no entry has or that all have. */
  weigh(term: string): number {
    const having = this.#postings.get(term)?.living ?? 0
    return Math.log(1 + (this.size - having + 0.5) / (having + 0.5))
  }

  /** The best entries that have a term in common with the question and pass `accepts`, best first; ties in the order of adding. */
  search(terms: Iterable<string>, limit: number, accepts: (key: string) => boolean = () => true): Scored[] {
    const averageLength = this.#totalLength / this.size
    const scores = new Float64Array(this.#entries.length)
    const met: number[] = []
    for (const term of new Set(terms)) {
      const postings = this.#postings.get(term)
      if (postings === undefined) continue
      const weight = this.weigh(term)
      const { slots, counts } = postings
      for (let index = 0; index < slots.length; index++) {
        const slot = slots[index] ?? 0
        const entry = this.#entries[slot]
        if (entry === undefined) continue
        const count = counts[index] ?? 0
        const share = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * entry.length) / averageLength))
        if (scores[slot] === 0) met.push(slot)
        scores[slot] = (scores[slot] ?? 0) + weight * share
      }
    }
    return this.#best(met, scores, limit, accepts)
  }

  #best(
    met: readonly number[],
    scores: Float64Array,
    limit: number,
    accepts: (key: string) => boolean,
  ): Scored[] {
    const best: (Scored & { readonly slot: number })[] = []
    for (const slot of met) {
      const score = scores[slot] ?? 0
      const last = best.at(-1)
      if (best.length >= limit && (last === undefined || !isBetter(score, slot, last))) continue
      const key = this.#entries[slot]?.key
      if (key === undefined || !accepts(key)) continue
      let place = best.length
      for (
        let above = best[place - 1];
        above !== undefined && isBetter(score, slot, above);
        above = best[place - 1]
      )
        place--
      best.splice(place, 0, { key, score, slot })
      if (best.length > limit) best.pop()
    }
    return best.map(({ key, score }) => ({ key, score }))
  }
}

function isBetter(
  score: number,
  slot: number,
  other: { readonly score: number; readonly slot: number },
): boolean {
  return score > other.score || (score === other.score && slot < other.slot)
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
