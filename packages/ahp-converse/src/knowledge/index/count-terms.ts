import { pathOf, textOf, type Passage } from '../documents/passage.js'
import type { Language } from '../text/language.js'

/** A word in title or heading says more about a passage than one in its text: half as much again, as one count (BM25F). */
export const HEADING_WEIGHT = 1.5

/** How often a passage has each term, those of title and headings weighted. */
export function countTerms(passage: Passage, language: Language): Map<string, number> {
  const counts = new Map<string, number>()
  count(counts, language.terms(pathOf(passage).join('\n')), HEADING_WEIGHT)
  count(counts, language.terms(textOf(passage)), 1)
  return counts
}

function count(counts: Map<string, number>, terms: readonly string[], weight: number): void {
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight)
}
