import { groupOf, levelOf, type Check, type RequirementLookup } from './check.js'
import { curlCommand } from './curl-command.js'
import { ConformanceError, isConformanceError } from './errors.js'
import { hideSecrets } from './hide-secrets.js'
import { assertOutcome, type Finding, type Outcome } from './outcome.js'
import {
  REPORT_VERSION,
  type CheckResult,
  type CheckStatus,
  type ConformanceReport,
  type ReportedFinding,
} from './report.js'
import type { RequestLog } from './request-log.js'
import { assertSuite, selectChecks, type Selection } from './select-checks.js'
import { checkOptionNames, checkOptionTypes, invalidOption } from './validate-option.js'
import { summarize, verdictOf } from './verdict.js'
import { visibleText } from './visible-text.js'

/** Findings of one check that a report holds. */
const MAX_FINDINGS = 20

/** Longest URL or pointer in a report, in UTF-16 code units. */
const MAX_PLACE_LENGTH = 2_048

/** Options of `runChecks`. */
export interface RunChecksOptions extends Selection {
  /** Lower-case name of the protocol, e.g. `aadp`. */
  readonly protocol: string
  readonly protocolVersion: string
  readonly baseUrl: string
  readonly runner: { readonly name: string; readonly version: string }
  readonly requirementOf: RequirementLookup
  /** What the checks send their requests through; its signal ends the run. */
  readonly log: RequestLog
  /** Count a warning as a failure. Default false. */
  readonly failOnWarning?: boolean
  /** Texts that must not be in the report even if the site repeats them, such as credentials. */
  readonly secrets?: readonly string[]
  readonly profile?: string
  readonly settings?: ConformanceReport['settings']
  /** The wall clock in milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** Told about each check as soon as it is settled. What it throws ends the run. */
  readonly onCheck?: (result: CheckResult) => void
}

/**
 * Runs checks one after the other and reports. Once the run is aborted or its time is over, what is left is
 * inconclusive; there is a report in every case.
 *
 * @throws {ConformanceError} `invalid_suite`, `unknown_check`, `invalid_option`
 */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
  options: RunChecksOptions,
): Promise<ConformanceReport> {
  checkOptionTypes(options, OPTION_TYPES)
  checkOptionNames(options, Object.keys(OPTION_NAMES))
  assertSuite(checks)
  const { requirementOf, log, now = Date.now, failOnWarning = false } = options
  const selected = selectChecks(checks, options)
  const startedAt = timeOf(now)
  const results: CheckResult[] = []
  let fatal: ConformanceReport['fatal']
  for (const check of selected) {
    const settled = await settle(check, subject, results, fatal, log)
    const result = toResult(check, settled, options)
    results.push(result)
    if (settled.isBroken) fatal = { code: 'internal_error', message: result.message ?? check.title }
    if (result.status === 'failed' && check.fatal !== undefined) {
      fatal = { code: check.fatal, message: result.message ?? check.title }
    }
    options.onCheck?.(result)
  }
  const finishedAt = timeOf(now)
  const summary = summarize(results)
  return {
    report_version: REPORT_VERSION,
    protocol: options.protocol,
    protocol_version: options.protocolVersion,
    base_url: options.baseUrl,
    runner: options.runner,
    started_at: new Date(startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    duration_ms: Math.max(0, Math.round(finishedAt - startedAt)),
    status: verdictOf({ summary, fail_on_warning: failOnWarning, ...(fatal && { fatal }) }),
    complete: selected.length === checks.length && fatal === undefined && !log.signal.aborted,
    fail_on_warning: failOnWarning,
    ...(options.profile !== undefined && { profile: options.profile }),
    settings: options.settings ?? {},
    requests: { count: log.count, bytes: log.bytes },
    summary,
    ...(fatal && { fatal }),
    checks: results,
    requirements: citedRequirements(results, requirementOf),
  }
}

const OPTION_TYPES = {
  requirementOf: 'callback',
  only: 'names',
  skip: 'names',
  secrets: 'names',
  failOnWarning: 'flag',
  settings: 'record',
  now: 'callback',
  onCheck: 'callback',
} as const

const OPTION_NAMES: Readonly<Record<keyof RunChecksOptions, true>> = {
  protocol: true,
  protocolVersion: true,
  baseUrl: true,
  runner: true,
  requirementOf: true,
  log: true,
  only: true,
  skip: true,
  failOnWarning: true,
  secrets: true,
  profile: true,
  settings: true,
  now: true,
  onCheck: true,
}

/** A time that can be written down (ECMA-262, 21.4.1.1). */
function timeOf(now: () => number): number {
  const time = now()
  if (Number.isFinite(time) && Math.abs(time) <= 8.64e15) return time
  throw invalidOption('now', 'a clock in milliseconds')
}

interface Settled {
  readonly outcome: Outcome
  readonly durationMs: number
  readonly requests: number
  /** The check itself did not work. */
  readonly isBroken?: true
}

async function settle<Subject>(
  check: Check<Subject>,
  subject: Subject,
  earlier: readonly CheckResult[],
  fatal: ConformanceReport['fatal'],
  log: RequestLog,
): Promise<Settled> {
  const prevented = preventedBy(check, earlier, fatal, log.signal)
  if (prevented !== undefined) return { outcome: prevented, durationMs: 0, requests: 0 }
  const startedAt = performance.now()
  const requestsBefore = log.count
  const measured = (): Pick<Settled, 'durationMs' | 'requests'> => ({
    durationMs: Math.round(performance.now() - startedAt),
    requests: log.count - requestsBefore,
  })
  try {
    const outcome: unknown = await check.run(subject)
    assertOutcome(outcome)
    return { outcome, ...measured() }
  } catch (error) {
    if (log.signal.aborted) return { outcome: cutShort(log.signal), ...measured() }
    if (isConformanceError(error) && error.code === 'budget_exceeded') {
      return { outcome: { kind: 'inconclusive', reason: error.message, findings: [] }, ...measured() }
    }
    const message = `Check ${check.id} broke: ${error instanceof Error ? visibleText(error.message) : 'unknown reason'}`
    const outcome: Outcome = { kind: 'inconclusive', reason: message, findings: [] }
    return { outcome, ...measured(), isBroken: true }
  }
}

/** Why a check cannot even begin. */
function preventedBy(
  check: Pick<Check<never>, 'needs'>,
  earlier: readonly CheckResult[],
  fatal: ConformanceReport['fatal'],
  signal: AbortSignal,
): Outcome | undefined {
  if (signal.aborted) return cutShort(signal)
  if (fatal !== undefined && fatal.code !== 'internal_error')
    return { kind: 'skipped', reason: fatal.message }
  const needs = earlier.filter((result) => check.needs?.includes(result.id))
  const blocker = needs.find(({ status }) => status === 'failed' || status === 'skipped')
  if (blocker !== undefined)
    return { kind: 'skipped', reason: `Needs ${blocker.id}, which ${was(blocker.status)}.` }
  const open = needs.find(({ status }) => status === 'inconclusive')
  if (open === undefined) return undefined
  return { kind: 'inconclusive', reason: `Needs ${open.id}, which ${was(open.status)}.`, findings: [] }
}

function was(status: CheckStatus): string {
  return status === 'failed' ? 'failed' : `was ${status}`
}

function cutShort(signal: AbortSignal): Outcome {
  const reason: unknown = signal.reason
  const message = reason instanceof ConformanceError ? reason.message : 'The run was aborted.'
  return { kind: 'inconclusive', reason: message, findings: [] }
}

function toResult<Subject>(
  check: Check<Subject>,
  { outcome, durationMs, requests }: Settled,
  { requirementOf, secrets = [] }: RunChecksOptions,
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
    ...(findings.length > 0 && { hint: check.hint }),
  }
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
