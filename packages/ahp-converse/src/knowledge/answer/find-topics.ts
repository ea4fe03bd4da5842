import { nameOf, pathOf, textOf, type Passage } from '../documents/passage.js'
import { stepsNaming, type RelevantPassage } from './relevant-passage.js'

/** A part of the documents that the question names as much as it names another one. */
export interface Topic {
  readonly label: string
  readonly passage: Passage
}

/** Below this share of the best score a passage is no equal, whatever its heading. */
const EQUAL_SCORE = 0.7
const MAX_TOPICS = 5

interface Candidate {
  readonly steps: readonly string[]
  /** Whether its heading says nothing that the question does not say. */
  readonly isExact: boolean
  /** How many words of the question its headings have, words of asking among them. */
  readonly spoken: number
  readonly passage: Passage
}

/**
 * The topics between which a question does not decide: none where it names none, one where it has a clear answer. More than one is
 * rare by rule: the headings of each name every word of the question, they score alike, and none of them is called just what was
 * asked for, or several are.
 *
 * "How do I cancel?" ties "Cancel a subscription" with "Cancel an order". It does not where one section is called "Cancel", where
 * the question says "order", or where only one of them has a heading about it.
 */
export function findTopics(relevant: readonly RelevantPassage[]): readonly Topic[] {
  const best = relevant[0]
  if (best === undefined) return []
  const same = relevant.filter(({ name }) => name === 'the same')
  const candidates = new Map<string, Candidate>()
  for (const passage of same.length > 0 ? same : relevant) {
    if (same.length === 0 && passage.score < best.score * EQUAL_SCORE) continue
    if (passage.passage.language !== best.passage.language) continue
    const candidate = candidateOf(passage)
    if (candidate === undefined && passage === best) return []
    const key = candidate && JSON.stringify([passage.passage.documentId, candidate.steps])
    if (candidate !== undefined && key !== undefined && !candidates.has(key)) candidates.set(key, candidate)
  }
  return labelled(closest([...candidates.values()])).slice(0, MAX_TOPICS)
}

/** A section of just that name, else the shortest beginning of a path that names every word of the question. */
function candidateOf(relevant: RelevantPassage): Candidate | undefined {
  const { passage, question, path, name } = relevant
  const isNamed = name !== 'other'
  const count = isNamed ? path.length : stepsNaming(relevant, question.terms.keys())
  if (count === undefined) return undefined
  const terms = path.slice(0, count)
  return {
    steps: pathOf(passage).slice(0, count),
    isExact: isNamed || [...(terms.at(-1) ?? [])].every((term) => question.terms.has(term)),
    spoken: [...question.spoken].filter((term) => terms.some((step) => step.has(term))).length,
    passage,
  }
}

/** Those called what was asked for, else all; of them those whose headings have most words of the question. */
function closest(candidates: readonly Candidate[]): Candidate[] {
  const exact = candidates.filter(({ isExact }) => isExact)
  const among = exact.length > 0 ? exact : candidates
  const most = Math.max(...among.map(({ spoken }) => spoken))
  return among.filter(({ spoken }) => spoken === most)
}

/** Headings alone where they differ, else with what is above them; what looks the same in the end is no choice. */
function labelled(candidates: readonly Candidate[]): Topic[] {
  const names = candidates.map(({ steps }) => steps.at(-1) ?? '')
  const topics = new Map<string, Topic>()
  for (const [index, { steps, passage }] of candidates.entries()) {
    const name = names[index] ?? ''
    const isUnique = names.filter((other) => other.toLowerCase() === name.toLowerCase()).length === 1
    const label = isUnique ? name : steps.join(' › ')
    if (!topics.has(label) && !hasSameText(passage, topics)) topics.set(label, { label, passage })
  }
  return [...topics.values()]
}

function hasSameText(passage: Passage, topics: ReadonlyMap<string, Topic>): boolean {
  return [...topics.values()].some((topic) => textOf(topic.passage) === textOf(passage))
}

/** Whether a visitor who chose this label means the passage. */
export function isCalled(passage: Passage, label: string): boolean {
  const wanted = label.trim().toLowerCase()
  const path = pathOf(passage)
  return (
    nameOf(passage).toLowerCase() === wanted ||
    path.some(
      (step, index) =>
        step.toLowerCase() === wanted ||
        path
          .slice(0, index + 1)
          .join(' › ')
          .toLowerCase() === wanted,
    )
  )
}
