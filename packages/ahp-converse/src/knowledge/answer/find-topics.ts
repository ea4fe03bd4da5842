import { pathOf, textOf, type Passage } from '../documents/passage.js'
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
 * the question says "order", where only one of them has a heading about it, or where one is a part of the other.
 *
 * @param agrees whether a heading says "not" where the question does, and only there: those that do are meant, if there are any
 */
export function findTopics(
  relevant: readonly RelevantPassage[],
  agrees: (heading: string) => boolean = () => true,
): readonly Topic[] {
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
  const all = [...candidates.values()]
  const agreeing = all.filter(({ steps }) => agrees(steps.at(-1) ?? ''))
  return labelled(closest(withoutParts(agreeing.length > 0 ? agreeing : all))).slice(0, MAX_TOPICS)
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

/** What is a part of another one is found there. */
function withoutParts(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(
    (part) =>
      !candidates.some(
        ({ steps, passage }) =>
          passage.documentId === part.passage.documentId &&
          steps.length < part.steps.length &&
          steps.every((step, index) => step === part.steps[index]),
      ),
  )
}

/** Those called what was asked for, else all; of them those whose headings have most words of the question. */
function closest(candidates: readonly Candidate[]): Candidate[] {
  const exact = candidates.filter(({ isExact }) => isExact)
  const among = exact.length > 0 ? exact : candidates
  const most = Math.max(...among.map(({ spoken }) => spoken))
  return among.filter(({ spoken }) => spoken === most)
}

/**
 * Headings alone where they differ, else with what is above them, else with where they are; what looks the same in the end is no
 * choice.
 */
function labelled(candidates: readonly Candidate[]): Topic[] {
  const topics = new Map<string, Topic>()
  for (const { steps, passage } of candidates) {
    const names = namesOf(steps, passage)
    const isTaken = (name: string): boolean =>
      candidates.filter((other) => namesOf(other.steps, other.passage).some((one) => isSame(one, name)))
        .length > 1
    const label = names.find((name) => !isTaken(name)) ?? names.at(-1) ?? ''
    if (!topics.has(label) && !hasSameText(passage, topics)) topics.set(label, { label, passage })
  }
  return [...topics.values()]
}

/** What a part of a document may be called, the shortest first. */
function namesOf(steps: readonly string[], { url }: Passage): readonly string[] {
  const path = steps.join(' › ')
  return [steps.at(-1) ?? '', path, ...(url === undefined ? [] : [`${path} (${url})`])]
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function hasSameText(passage: Passage, topics: ReadonlyMap<string, Topic>): boolean {
  return [...topics.values()].some((topic) => textOf(topic.passage) === textOf(passage))
}

/** Whether a visitor who chose this label means the passage. */
export function isCalled(passage: Passage, label: string): boolean {
  const path = pathOf(passage)
  return path.some((step, index) =>
    [step, ...namesOf(path.slice(0, index + 1), passage)].some((name) => isSame(name, label)),
  )
}
