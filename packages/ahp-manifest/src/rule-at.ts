import { pointerTokens } from './generated/json-pointer.js'

/**
 * The rule for a place in a document: that of the place itself or, where the schema does not know the place (an unknown
 * member, the inside of a wrong value), of the nearest known place around it.
 *
 * @param rules the rule of each place of the document, `*` standing for every item or map member
 */
export function ruleAt(rules: Readonly<Record<string, string>>, path: string): string {
  let pattern = ''
  for (const token of pointerTokens(path)) {
    const candidates = [`${pattern}/${token}`, `${pattern}/*`]
    const known = candidates.find((candidate) => Object.hasOwn(rules, candidate))
    if (known === undefined) break
    pattern = known
  }
  return rules[pattern] ?? ''
}
