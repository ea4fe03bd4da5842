import { groupOf, levelOf, type Check, type RequirementLookup } from './check.js'
import { curlCommand } from './curl-command.js'
import { hideSecrets } from './hide-secrets.js'
import type { Finding, Outcome } from './outcome.js'
import type { CheckResult, CheckStatus, ConformanceReport, ReportedFinding } from './report.js'
import type { Settled } from './settle-check.js'
import { visibleText } from './visible-text.js'

/** Findings of one check that a report holds. */
const MAX_FINDINGS = 20

/** Longest URL or pointer in a report, in UTF-16 code units. */
const MAX_PLACE_LENGTH = 2_048

/** A check as the report tells of it: levels derived, texts bounded and printable, secrets hidden. */
export function toResult<Subject>(
  check: Check<Subject>,
  { outcome, durationMs, requests }: Settled,
  {
    requirementOf,
    secrets,
  }: { readonly requirementOf: RequirementLookup; readonly secrets: readonly string[] },
): CheckResult {
  const shown = (text: string, maxLength?: number): string =>
    visibleText(hideSecrets(text, secrets), maxLength)
  const found = outcome.kind === 'skipped' ? [] : outcome.findings
  const findings = found.map((finding) => toReported(finding, requirementOf, shown, secrets)).sort(byLevel)
  const said = outcome.kind === 'judged' ? (findings[0]?.message ?? outcome.note) : outcome.reason
  return {
    id: check.id,
    group: groupOf(check.id),
    title: check.title,
    level: levelOf(check, requirementOf),
    requirements: check.requirements,
    status: statusOf(outcome, findings),
    duration_ms: durationMs,
    requests,
    ...(said !== undefined && { message: shown(said) }),
    findings: findings.slice(0, MAX_FINDINGS),
    finding_count: findings.length,
    ...(findings.length > 0 && { hint: hintFor(check, found) }),
  }
}

function hintFor({ hint }: Pick<Check<never>, 'hint'>, found: readonly Finding[]): string {
  const [first] = found
  return found.every((finding) => finding.hint !== undefined) ? (first?.hint ?? hint) : hint
}

function statusOf(outcome: Outcome, findings: readonly ReportedFinding[]): CheckStatus {
  if (findings.some((finding) => finding.level === 'error')) return 'failed'
  if (outcome.kind !== 'judged') return outcome.kind
  return findings.some((finding) => finding.level === 'warning') ? 'warning' : 'passed'
}

function toReported(
  finding: Finding,
  requirementOf: RequirementLookup,
  shown: (text: string, maxLength?: number) => string,
  secrets: readonly string[],
): ReportedFinding {
  const reproduce = finding.request && curlCommand(finding.request, secrets)
  return {
    level: findingLevel(finding, requirementOf),
    requirement: finding.requirement,
    message: shown(finding.message),
    ...(finding.url !== undefined && { url: shown(finding.url, MAX_PLACE_LENGTH) }),
    ...(finding.pointer !== undefined && { pointer: shown(finding.pointer, MAX_PLACE_LENGTH) }),
    ...(reproduce !== undefined && { reproduce }),
  }
}

/** An unknown requirement counts as binding: a misspelt id must not turn a failure into nothing. */
function findingLevel(finding: Finding, requirementOf: RequirementLookup): ReportedFinding['level'] {
  const level = requirementOf(finding.requirement)?.level ?? 'MUST'
  if (level === 'MAY') return 'note'
  return level === 'MUST' && finding.advisory !== true ? 'error' : 'warning'
}

const LEVELS: readonly ReportedFinding['level'][] = ['error', 'warning', 'note']

function byLevel(left: ReportedFinding, right: ReportedFinding): number {
  return LEVELS.indexOf(left.level) - LEVELS.indexOf(right.level)
}

/** Level and text of the requirements that these results cite. */
export function citedRequirements(
  results: readonly CheckResult[],
  requirementOf: RequirementLookup,
): ConformanceReport['requirements'] {
  const ids = new Set(results.flatMap((result) => result.findings.map((finding) => finding.requirement)))
  const cited = [...ids].sort().map((id) => requirementOf(id))
  return Object.fromEntries(
    cited.flatMap((found) => (found ? [[found.id, { level: found.level, text: found.text }]] : [])),
  )
}
