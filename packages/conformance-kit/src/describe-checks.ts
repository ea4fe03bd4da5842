import { levelOf, type Check, type RequirementLookup } from './check.js'

/** One line for each check: id, level and title. */
export function listChecks(checks: readonly Check<never>[], requirementOf: RequirementLookup): string {
  const width = Math.max(...checks.map((check) => check.id.length))
  const lines = checks.map(
    (check) => `${check.id.padEnd(width)}  ${levelOf(check, requirementOf).padEnd(6)}  ${check.title}`,
  )
  return `${lines.join('\n')}\n`
}

/** All there is to know about one check. */
export function explainCheck(check: Check<never>, requirementOf: RequirementLookup): string {
  const { id, title, needs = [], requirements, hint } = check
  const rules = requirements.map((rule) => {
    const found = requirementOf(rule)
    return found === undefined ? `  ${rule}` : `  ${rule} ${found.level}: ${found.text}`
  })
  const lines = [
    `${id} (${levelOf(check, requirementOf)})`,
    title,
    '',
    'Requirements:',
    ...rules,
    ...(needs.length > 0 ? ['', `Needs: ${needs.join(', ')}`] : []),
    '',
    `Fix: ${hint}`,
  ]
  return `${lines.join('\n')}\n`
}
