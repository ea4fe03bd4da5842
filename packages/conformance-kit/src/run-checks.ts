import type { Check, RequirementLookup } from './check.js'
import { citedRequirements, toResult } from './check-result.js'
import { REPORT_VERSION, type CheckResult, type ConformanceReport } from './report.js'
import type { RequestLog } from './request-log.js'
import { assertSuite, selectChecks, type Selection } from './select-checks.js'
import { settleCheck } from './settle-check.js'
import { checkOptionNames, checkOptionTypes, invalidOption } from './validate-option.js'
import { summarize, verdictOf } from './verdict.js'

/** Options of `runChecks`. */
export interface RunChecksOptions extends Selection {
  /** Lower-case name of the protocol: letters, digits and hyphens, e.g. `aadp`. */
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
  checkOptions(options)
  assertSuite(checks)
  const { requirementOf, secrets = [], log, now = Date.now, failOnWarning = false } = options
  const selected = selectChecks(checks, options)
  const startedAt = timeOf(now)
  const results: CheckResult[] = []
  let fatal: ConformanceReport['fatal']
  for (const check of selected) {
    const settled = await settleCheck(check, subject, results, fatal, log)
    const result = toResult(check, settled, { requirementOf, secrets })
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

function checkOptions(options: RunChecksOptions): void {
  checkOptionTypes(options, OPTION_TYPES, { required: REQUIRED })
  checkOptionNames(options, Object.keys(OPTION_NAMES))
  const { protocol, runner, log } = options
  if (!/^[a-z][a-z0-9-]*$/.test(protocol)) throw invalidOption('protocol', 'a lower-case name')
  const runnerTypes = { name: 'text', version: 'text' } as const
  checkOptionTypes(runner, runnerTypes, { owner: 'runner', required: Object.keys(runnerTypes) })
  // Not by class: the log may be of another installed copy.
  const { signal } = (log as RequestLog | undefined) ?? {}
  if (!(signal instanceof AbortSignal)) throw invalidOption('log', 'a RequestLog')
}

const REQUIRED = ['protocol', 'protocolVersion', 'baseUrl', 'runner', 'requirementOf'] as const

const OPTION_TYPES = {
  protocol: 'text',
  protocolVersion: 'text',
  baseUrl: 'text',
  runner: 'record',
  requirementOf: 'callback',
  only: 'names',
  skip: 'names',
  secrets: 'names',
  failOnWarning: 'flag',
  profile: 'text',
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
