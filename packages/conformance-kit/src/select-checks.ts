import { groupOf, type Check } from './check.js'
import { ConformanceError } from './errors.js'
import { nearestName } from './nearest-name.js'

/** Which checks of a suite are run: ids, or `http.*` for a whole branch. */
export interface Selection {
  /** Run these and what they need. Default: all checks. */
  readonly only?: readonly string[]
  /** Leave these out, and what needs them. Default: none. */
  readonly skip?: readonly string[]
}

/**
 * The selected checks in their order.
 *
 * @throws {ConformanceError} `unknown_check`
 */
export function selectChecks<Subject>(
  checks: readonly Check<Subject>[],
  { only, skip = [] }: Selection,
): readonly Check<Subject>[] {
  const wanted = new Set((only ?? checks.map(({ id }) => id)).flatMap((name) => namesFor(checks, name)))
  for (const { id, needs = [] } of checks.toReversed())
    if (wanted.has(id)) for (const need of needs) wanted.add(need)
  const unwanted = new Set(skip.flatMap((name) => namesFor(checks, name)))
  for (const { id, needs = [] } of checks) if (needs.some((need) => unwanted.has(need))) unwanted.add(id)
  return checks.filter(({ id }) => wanted.has(id) && !unwanted.has(id))
}

/**
 * Refuses a suite that contradicts itself: a check that is not whole, an id that is malformed or given twice, or a need
 * that is not an earlier check (so a cycle is impossible).
 */
export function assertSuite(checks: readonly Check<never>[]): void {
  const seen = new Set<string>()
  for (const check of checks) {
    const { id, needs = [], requirements } = check
    const missing = needs.find((need) => !seen.has(need))
    if (!ID.test(id)) throw invalidSuite(id, 'is not a dotted lower-case name')
    const { title, hint, run } = check as Partial<Check<never>>
    if (typeof title !== 'string' || typeof hint !== 'string')
      throw invalidSuite(id, 'lacks a title or a hint')
    if (typeof run !== 'function') throw invalidSuite(id, 'lacks the function run')
    if (!Array.isArray(requirements)) throw invalidSuite(id, 'lacks its requirements')
    if (seen.has(id)) throw invalidSuite(id, 'is defined twice')
    if (missing !== undefined) throw invalidSuite(id, `needs ${missing}, which does not come before it`)
    if (requirements.length === 0) throw invalidSuite(id, 'cites no requirement')
    seen.add(id)
  }
}

const ID = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/

function namesFor(checks: readonly Check<never>[], name: string): readonly string[] {
  const branch = name.endsWith('.*') ? name.slice(0, -1) : undefined
  const names = checks
    .map((check) => check.id)
    .filter((id) => id === name || (branch !== undefined && id.startsWith(branch)))
  if (names.length > 0) return names
  const meant = nearestName(name, [...checks.map(({ id }) => id), ...branchesOf(checks)])
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  const message = `There is no check ${JSON.stringify(name.slice(0, 80))}.${hint}`
  throw new ConformanceError('unknown_check', message, { check: name })
}

function branchesOf(checks: readonly Check<never>[]): readonly string[] {
  return [...new Set(checks.filter(({ id }) => id.includes('.')).map(({ id }) => `${groupOf(id)}.*`))]
}

function invalidSuite(check: string, message: string): ConformanceError {
  return new ConformanceError('invalid_suite', `Check ${check} ${message}.`, { check })
}
