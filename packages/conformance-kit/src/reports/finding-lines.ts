import type { CheckResult, ConformanceReport } from '../report.js'

type Finding = CheckResult['findings'][number]

/** What a check found, as plain lines: each finding with its place, each requirement once, then the hint. */
export function findingLines(check: CheckResult, report: ConformanceReport): readonly string[] {
  const cited = [...new Set(check.findings.map((finding) => finding.requirement))]
  return [
    ...check.findings.flatMap((finding) => [
      `- ${isAdvisory(finding, report) ? 'advice: ' : ''}${finding.message}`,
      ...placeLine(finding),
      ...againLine(finding),
    ]),
    ...moreLine(check),
    ...cited.flatMap((id) => requirementLine(id, report)),
    ...(check.hint === undefined ? [] : [`Fix: ${check.hint}`]),
  ]
}

/** A finding about a MUST that only warns: the probe proves no breach. */
function isAdvisory({ level, requirement }: Finding, { requirements }: ConformanceReport): boolean {
  const cited = Object.hasOwn(requirements, requirement) ? requirements[requirement] : undefined
  return level === 'warning' && cited?.level === 'MUST'
}

function placeLine({ url, pointer }: Finding): readonly string[] {
  if (url === undefined) return pointer ? [`  at ${pointer}`] : []
  return [`  at ${url}${pointer ? `#${pointer}` : ''}`]
}

function againLine({ reproduce }: Finding): readonly string[] {
  return reproduce === undefined ? [] : [`  again: ${reproduce}`]
}

function moreLine(check: CheckResult): readonly string[] {
  const more = check.finding_count - check.findings.length
  return more > 0 ? [`- and ${more} more`] : []
}

function requirementLine(id: string, report: ConformanceReport): readonly string[] {
  const requirement = Object.hasOwn(report.requirements, id) ? report.requirements[id] : undefined
  return requirement === undefined ? [] : [`${id} ${requirement.level}: ${requirement.text}`]
}
