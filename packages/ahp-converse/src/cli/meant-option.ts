import { closest, distance } from 'fastest-levenshtein'

/** Asks for the option that is nearest to one that there is not; nothing where most of it is wrong. */
export function meantOption(problem: string, names: readonly string[]): string {
  const unknown = /^Unknown option '--(.+)'/.exec(problem)?.[1]
  if (unknown === undefined) return ''
  const nearest = closest(unknown, names)
  return distance(unknown, nearest) * 2 < nearest.length ? ` Did you mean --${nearest}?` : ''
}
