import type { AadpVersion } from '@doorplate/aadp-schemas'
import type { Requirement } from '@doorplate/conformance-kit'
import { requirements } from './generated/requirements.js'

/** Gives the id of a rule in one version of the specification from its number in 1.0, e.g. `CACHE-013`. */
export type Rule = (number: string) => string

/** A rule of the specification for servers and documents, by its id. */
export function requirementOf(id: string): Requirement | undefined {
  const found = Object.hasOwn(requirements, id) ? requirements[id] : undefined
  return found && { id, level: found[0], text: found[1] }
}

/** The numbering of a version. Rules about servers are numbered alike in 0.1, but for the two cases below. */
export function ruleIn(version: AadpVersion): Rule {
  return version === '1.0' ? (number) => `AADP1-${number}` : (number) => `AADP01-${numberIn01(number)}`
}

function numberIn01(number: string): string {
  if (number === 'MAN-018') return 'MAN-006'
  const cache = /^CACHE-(\d{3})$/.exec(number)?.[1]
  // 0.1 has no security schemes, hence no CACHE-010 of 1.0, and counts one less from there.
  if (cache === undefined || Number(cache) <= 10) return number
  return `CACHE-${String(Number(cache) - 1).padStart(3, '0')}`
}
