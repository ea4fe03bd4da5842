import { rules } from './generated/rules.js'
import { pointerTokens } from './json-pointer.js'
import type { AadpVersion, Kind } from './versions.js'

/**
 * The rule for a place in a document: that of the place itself or, where the schema does not know the place (an unknown
 * member, the inside of a wrong value), of the nearest known place around it.
 */
export function ruleAt(version: AadpVersion, kind: Kind, path: string): string {
  const ofKind = rules[version][kind]
  let pattern = ''
  for (const token of pointerTokens(path)) {
    const candidates = [`${pattern}/${token}`, `${pattern}/*`]
    const known = candidates.find((candidate) => Object.hasOwn(ofKind, candidate))
    if (known === undefined) break
    pattern = known
  }
  return ofKind[pattern] ?? ''
}
