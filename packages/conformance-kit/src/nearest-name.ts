import { distance } from 'fastest-levenshtein'

/** The name that somebody meant who wrote this one, unless it is like none of them. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, MAX_NAME_LENGTH).toLowerCase()
  const [nearest] = known
    .map((candidate) => ({ candidate, far: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= Math.max(1, candidate.length * MAX_SHARE_OF_EDITS))
    .sort((left, right) => left.far - right.far)
  return nearest?.candidate
}

/** Longer than any name there is: the time of a comparison grows with both lengths. */
const MAX_NAME_LENGTH = 100

/** Letters of a name that may be wrong. */
const MAX_SHARE_OF_EDITS = 0.4
