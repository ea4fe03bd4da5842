import { closest, distance } from 'fastest-levenshtein'

/** Of a name, what is compared: the work grows with its length. */
const MAX_LENGTH = 100

/** A question for the name that somebody meant, with a space before it; empty if the one written is like none of them. */
export function didYouMean(written: string, known: readonly string[], owner = ''): string {
  const name = written.slice(0, MAX_LENGTH)
  const nearest = closest(name, known)
  const isNear = distance(name, nearest) <= Math.max(1, nearest.length * 0.4)
  return isNear ? ` Did you mean ${owner}${nearest}?` : ''
}
