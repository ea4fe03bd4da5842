import type { Requirement } from '@doorplate/conformance-kit'
import { requirements } from './generated/requirements.js'

/** A rule of the specification, by its id. */
export function requirementOf(id: string): Requirement | undefined {
  const found = Object.hasOwn(requirements, id) ? requirements[id] : undefined
  return found && { id, level: found[0], text: found[1] }
}

/** The id of a rule from its number, e.g. `R-041`. */
export function rule(number: string): string {
  return `AHP01-${number}`
}
