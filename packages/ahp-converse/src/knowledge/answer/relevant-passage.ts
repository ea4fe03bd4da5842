import { pathOf, textOf, type Passage } from '../documents/passage.js'
import type { LanguageSet } from '../index/language-set.js'
import type { Hit } from '../index/retriever.js'
import type { Question, WeightedTerms } from './question.js'

/** A passage that is about the question, with what of the question it has. */
export interface RelevantPassage {
  readonly passage: Passage
  readonly score: number
  readonly question: WeightedTerms
  /** The terms of the question that it has anywhere. */
  readonly words: ReadonlySet<string>
  /** The terms of each step of its path: of the title, then of each heading. */
  readonly path: readonly ReadonlySet<string>[]
}

/** Of many words some are chatter: three of them in one passage are no accident. */
const MANY_WORDS = 3

/**
 * The hits that are about the question. One that merely shares a word with it is not: "the capital of France" is no question about
 * capital letters. A passage is relevant when it has every word of the question that carries meaning; or half of them, at least
 * two or one that its title or headings name; or a third of them, at least three.
 */
export function relevantPassages(
  hits: readonly Hit[],
  question: Question,
  languages: LanguageSet,
): RelevantPassage[] {
  const relevant = hits.flatMap((hit): RelevantPassage[] => {
    const { passage, score } = hit
    if (hit.relevant === false) return []
    const language = languages.get(passage.language)
    const terms = question.termsIn(passage.language)
    const path = pathOf(passage).map((step) => new Set(language?.terms(step)))
    const named = path.flatMap((step) => [...step]).filter((term) => terms.has(term))
    const words = new Set(
      [...named, ...(language?.terms(textOf(passage)) ?? [])].filter((term) => terms.has(term)),
    )
    const isRelevant = hit.relevant ?? isEnough(words.size, terms.size, named.length > 0)
    return isRelevant ? [{ passage, score, question: terms, words, path }] : []
  })
  return inOrderOfTopics(relevant)
}

function isEnough(words: number, of: number, isNamed: boolean): boolean {
  if (words === 0) return false
  if (words === of) return true
  if (words * 2 >= of) return words >= 2 || isNamed
  return words * 3 >= of && words >= MANY_WORDS
}

/** A section called exactly what was asked for comes first; else the one that introduces what the best one is a part of. */
function inOrderOfTopics(relevant: readonly RelevantPassage[]): RelevantPassage[] {
  const best = relevant.find(isExactlyNamed) ?? relevant[0]
  if (best === undefined) return []
  const steps = stepsNaming(best, best.words)
  const introduction = relevant.find(({ passage, words }) => {
    return (
      passage.documentId === best.passage.documentId &&
      words.size === best.words.size &&
      samePath(passage, best.passage, steps)
    )
  })
  const first = introduction ?? best
  return [first, ...relevant.filter((passage) => passage !== first)]
}

/** How many steps of its path it takes to name all of some terms; undefined when the path does not. */
export function stepsNaming({ path }: RelevantPassage, terms: Iterable<string>): number | undefined {
  const missing = new Set(terms)
  for (const [index, step] of path.entries()) {
    for (const term of step) missing.delete(term)
    if (missing.size === 0) return index + 1
  }
  return undefined
}

/** Whether the whole path of one is so many steps of another's. */
function samePath(passage: Passage, other: Passage, steps: number | undefined): boolean {
  const path = pathOf(passage)
  const beginning = pathOf(other).slice(0, steps)
  return path.length === steps && beginning.every((step, index) => step === path[index])
}

function isExactlyNamed({ question, path }: RelevantPassage): boolean {
  const name = path.at(-1) ?? new Set()
  return name.size === question.size && [...name].every((term) => question.has(term))
}
