import type { CheckResult, ConformanceReport, ReportSummary, RunStatus } from './report.js'

/** Counts check results by status. */
export function summarize(checks: readonly CheckResult[]): ReportSummary {
  const count = (status: CheckResult['status']): number =>
    checks.filter((check) => check.status === status).length
  return {
    total: checks.length,
    passed: count('passed'),
    failed: count('failed'),
    warnings: count('warning'),
    skipped: count('skipped'),
    inconclusive: count('inconclusive'),
  }
}

/**
 * The verdict of a run. What failed has failed; otherwise a run in which a check stayed inconclusive, or in which no
 * check came to a judgement at all, is inconclusive: the absence of failures is not a pass.
 */
export function verdictOf(run: Pick<ConformanceReport, 'summary' | 'fatal' | 'fail_on_warning'>): RunStatus {
  const { summary, fatal } = run
  if (fatal?.code === 'internal_error') return summary.failed > 0 ? 'failed' : 'inconclusive'
  if (fatal !== undefined || summary.failed > 0) return 'failed'
  if (run.fail_on_warning && summary.warnings > 0) return 'failed'
  if (summary.inconclusive > 0 || summary.passed + summary.warnings === 0) return 'inconclusive'
  return 'passed'
}
