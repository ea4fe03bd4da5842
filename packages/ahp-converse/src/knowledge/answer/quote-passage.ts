import { textOfBlock, type Passage } from '../documents/passage.js'
import type { Language } from '../text/language.js'
import { estimateTokens } from '../../estimate-tokens.js'
import { Excerpt } from './excerpt.js'
import type { RelevantPassage } from './relevant-passage.js'

/** What is quoted of one passage. */
export interface Quote {
  readonly passage: Passage
  readonly text: string
  readonly tokens: number
  /** The terms of the question that it answers. */
  readonly terms: ReadonlySet<string>
}

export interface QuoteLimits {
  readonly maxTokens: number
  /** A paragraph longer than this is quoted in part; a passage of which so much is quoted is not read on. */
  readonly preferredTokens: number
}

const MAX_PICKS = 3
/** Words with less than this share of the question's weight are chatter: they decide nothing. */
const MINOR_SHARE = 0.25

/**
 * Quotes the parts that have the words which the headings lack. Where none is lacking it begins at the beginning, as the headings
 * name what was asked for, and reads on until enough is said.
 * @param answered what earlier quotes have of the question; with it, only what is still missing is quoted
 * @returns undefined when there is nothing to add
 */
export function quotePassage(
  relevant: RelevantPassage,
  language: Language,
  answered: ReadonlySet<string> | undefined,
  { maxTokens, preferredTokens }: QuoteLimits,
): Quote | undefined {
  const { passage, question, path } = relevant
  const named = new Set(path.flatMap((step) => [...step]))
  const termsOf = (text: string): string[] => {
    return [...new Set(language.terms(text))].filter((term) => question.terms.has(term))
  }
  const weight = (term: string): number => question.terms.get(term) ?? 0
  const share = (terms: readonly string[]): number =>
    sum(terms, weight) / sum([...question.terms.keys()], weight)
  const missing = [...question.terms.keys()].filter((term) => answered?.has(term) !== true)
  const unnamed = missing.filter((term) => !named.has(term))
  const wanted = share(unnamed) < MINOR_SHARE ? [] : unnamed
  const cover = (texts: readonly string[]): number[] => coveringTexts(texts.map(termsOf), wanted, weight)
  const excerpt = new Excerpt(passage, maxTokens, cover)
  const texts = passage.blocks.map(textOfBlock)
  const said = new Set([...named, ...texts.flatMap(termsOf)].filter((term) => question.terms.has(term)))
  if (answered !== undefined && share(missing.filter((term) => said.has(term))) < MINOR_SHARE)
    return undefined
  const picks = cover(texts.map((text, index) => (passage.blocks[index]?.kind === 'code' ? '' : text)))
  if (picks.length === 0 && answered !== undefined && !missing.some((term) => named.has(term)))
    return undefined
  // A table or code alone explains little: first the first sentences, then what stands in front of them if it fits.
  const prose = passage.blocks.findIndex(({ kind }) => kind === 'prose')
  const lead = Math.max(0, prose)
  for (const pick of picks.length === 0 ? [lead, 0] : picks) excerpt.take(pick, preferredTokens)
  const enough = preferredTokens / (picks.length === 0 ? 2 : 6)
  for (let next = (picks[0] ?? lead) + 1; excerpt.tokens < enough && excerpt.takeWhole(next); next++);
  const { text } = excerpt
  if (text === '') return undefined
  return { passage, text, tokens: estimateTokens(`${text}\n\n`), terms: said }
}

function sum(terms: readonly string[], weight: (term: string) => number): number {
  return terms.reduce((total, term) => total + weight(term), 0)
}

/** Texts that have the wanted terms between them: at each step the one with the most weight that is still missing. */
function coveringTexts(
  texts: readonly (readonly string[])[],
  wanted: readonly string[],
  weight: (term: string) => number,
): number[] {
  const missing = new Set(wanted)
  const picks: number[] = []
  while (picks.length < MAX_PICKS) {
    const worths = texts.map((terms) =>
      sum(
        terms.filter((term) => missing.has(term)),
        weight,
      ),
    )
    const best = worths.indexOf(Math.max(0, ...worths))
    if (best === -1 || worths[best] === 0) break
    picks.push(best)
    for (const term of texts[best] ?? []) missing.delete(term)
  }
  return picks
}
