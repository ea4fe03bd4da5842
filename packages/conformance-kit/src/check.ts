import type { Outcome } from './outcome.js'

/** How binding a requirement is (RFC 2119). */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'MAY'

/** One rule of a specification. */
export interface Requirement {
  readonly id: string
  readonly level: RequirementLevel
  readonly text: string
}

/** Finds a requirement by its id. */
export type RequirementLookup = (id: string) => Requirement | undefined

/** One thing that is checked: what it is about as data, and the function that judges the subject. */
export interface Check<Subject> {
  /** Dotted, lower-case and stable, e.g. `http.cache.entity`. What stands before the first dot is its group. */
  readonly id: string
  /** What holds when the check passes, in one line. */
  readonly title: string
  /** Ids of the requirements that its findings are about. The most binding one is the level of the check. */
  readonly requirements: readonly string[]
  /** Ids of earlier checks without which this one makes no sense. A warning is good enough. */
  readonly needs?: readonly string[]
  /** How to put a failure right, for the people who run the server. */
  readonly hint: string
  /** A failure of this check ends the run with this code: nothing that follows would mean anything. */
  readonly fatal?: 'unreachable' | 'unsupported_version'
  /**
   * Judges the subject. Whatever a site does is an outcome. An exception means that the check itself is broken, unless
   * it is a used-up budget or the abort of the run.
   */
  readonly run: (subject: Subject) => Outcome | Promise<Outcome>
}

/** The group of a check: its id up to the first dot. */
export function groupOf(id: string): string {
  return id.split('.', 1)[0] ?? id
}

const BINDING_FIRST: readonly RequirementLevel[] = ['MUST', 'SHOULD', 'MAY']

/** The level of a check: that of its most binding requirement. */
export function levelOf(
  check: Pick<Check<never>, 'requirements'>,
  requirementOf: RequirementLookup,
): RequirementLevel {
  const levels = check.requirements.map((id) => requirementOf(id)?.level ?? 'MUST')
  return BINDING_FIRST.find((level) => levels.includes(level)) ?? 'MUST'
}
