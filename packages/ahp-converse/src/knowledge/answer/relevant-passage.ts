import { nameOf, pathOf, textOfBlock, type Passage } from '../documents/passage.js'
import type { LanguageSet } from '../index/language-set.js'
import type { Hit } from '../index/retriever.js'
import { splitWords } from '../text/split-words.js'
import type { Question, Reading } from './question.js'

/** A passage that is about the question, with what of the question it has. */
export interface RelevantPassage {
  readonly passage: Passage
  readonly score: number
  readonly question: Reading
  /** The terms of the question that it has anywhere. */
  readonly words: ReadonlySet<string>
  /** The terms of each step of its path: of the title, then of each heading. */
  readonly path: readonly ReadonlySet<string>[]
  /** How well its own name fits: it is the question, says just what the question says, or something else. */
  readonly name: 'the same' | 'the same terms' | 'other'
}

/** Further down the list only a section called what was asked for is worth reading. */
const READ_IN_FULL = 10
/** Of many words some are chatter: three of them in one place are no accident. */
const MANY_WORDS = 3

/**
 * The hits that are about the question. One that merely shares a word with it is not: "the boiling point of water" is no question
 * about bottled water. A passage is relevant when it has every word of the question that carries meaning; or when one paragraph and the
 * headings above it have half of them, at least two or one that a heading names; or a third of them, at least three; or when
 * the question has every word of its own name, at least two, as one question may be about several sections.
 */
export function relevantPassages(
  hits: readonly Hit[],
  question: Question,
  languages: LanguageSet,
): RelevantPassage[] {
  const asked = splitWords(question.text).join(' ')
  const relevant = hits.flatMap((hit, rank): RelevantPassage[] => {
    const { passage, score } = hit
    const reading = question.in(passage.language)
    const termsOf = (text: string): string[] => languages.get(passage.language)?.terms(text) ?? []
    const ownName = nameOf(passage)
    const nameTerms = new Set(termsOf(ownName))
    const isSame = splitWords(ownName).join(' ') === asked
    const name = isSame ? 'the same' : hasSameTerms(nameTerms, reading) ? 'the same terms' : 'other'
    if (hit.relevant === false || (rank >= READ_IN_FULL && name === 'other')) return []
    const known = (text: string): string[] => termsOf(text).filter((term) => reading.terms.has(term))
    const named = known(pathOf(passage).join('\n'))
    const blocks = passage.blocks.map((block) => new Set([...named, ...known(textOfBlock(block))]))
    const words = new Set([...named, ...blocks.flatMap((block) => [...block])])
    const inOnePlace = Math.max(0, ...blocks.map(({ size }) => size))
    const isRelevant =
      hit.relevant ??
      ((words.size > 0 && words.size === reading.terms.size) ||
        isInFull(nameTerms, reading) ||
        isEnough(inOnePlace, reading.terms.size, named.length > 0))
    if (!isRelevant) return []
    const path = pathOf(passage).map((step) => new Set(termsOf(step)))
    return [{ passage, score, question: reading, words, path, name }]
  })
  return inOrderOfTopics(relevant)
}

function isEnough(words: number, of: number, isNamed: boolean): boolean {
  if (words * 2 >= of) return words >= 2 || (words === 1 && isNamed)
  return words * 3 >= of && words >= MANY_WORDS
}

function isInFull(name: ReadonlySet<string>, { spoken }: Reading): boolean {
  return name.size >= 2 && [...name].every((term) => spoken.has(term))
}

function hasSameTerms(name: ReadonlySet<string>, { terms }: Reading): boolean {
  return name.size === terms.size && [...name].every((term) => terms.has(term))
}

/** A section called what was asked for comes first; else the one that introduces what the best one is a part of. */
function inOrderOfTopics(relevant: readonly RelevantPassage[]): RelevantPassage[] {
  const called = (fit: RelevantPassage['name']): RelevantPassage | undefined => {
    return relevant.find(({ name }) => name === fit)
  }
  const best = called('the same') ?? called('the same terms') ?? relevant[0]
  if (best === undefined) return []
  const steps = stepsNaming(best, best.words)
  const introduction = relevant.find(({ passage, words }) => {
    return (
      best.name !== 'the same' &&
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
