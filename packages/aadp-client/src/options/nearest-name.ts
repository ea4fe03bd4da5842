import { distance } from 'fastest-levenshtein'

/** Letters that may be wrong in a name, as a share of them. */
const MAX_SHARE_OF_EDITS = 0.4

/** Longer than any name there is: the time of a comparison grows with both lengths. */
const MAX_NAME_LENGTH = 100

/** The known name that somebody meant who wrote this one, unless it is like none of them. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, MAX_NAME_LENGTH).toLowerCase()
  let nearest: string | undefined
  let edits = Infinity
  for (const candidate of known) {
    const far = distance(wanted, candidate.toLowerCase())
    if (far >= edits || far > Math.max(1, candidate.length * MAX_SHARE_OF_EDITS)) continue
    nearest = candidate
    edits = far
  }
  return nearest
}
