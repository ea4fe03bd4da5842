import { pointerTokens } from './generated/json-pointer.js'

/**
 * The rule for a place in a document: that of the place itself or, where the schema does not know the place (an unknown
 * member, the inside of a wrong value), of the nearest known place around it.
 *
 * @param rules the rule of each place of the document, `*` standing for every item or map member
 */
export function ruleAt(rules: Readonly<Record<string, string>>, path: string): string {
  return rules[placeAt(rules, pointerTokens(path))] ?? ''
}

/** The innermost place that the schema knows on the way to a value: as `rules` names it, with `*`. */
export function placeAt(rules: Readonly<Record<string, string>>, tokens: readonly string[]): string {
  let place = ''
  for (const token of tokens) {
    const candidates = [`${place}/${token}`, `${place}/*`]
    const known = candidates.find((candidate) => Object.hasOwn(rules, candidate))
    if (known === undefined) break
    place = known
  }
  return place
}
