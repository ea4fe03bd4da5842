import type { Check } from './check.js'
import { ConformanceError, isConformanceError } from './errors.js'
import { assertOutcome, type Outcome } from './outcome.js'
import type { CheckResult, CheckStatus, ConformanceReport } from './report.js'
import type { RequestLog } from './request-log.js'
import { visibleText } from './visible-text.js'

/** What a check has come to, and what it took. */
export interface Settled {
  readonly outcome: Outcome
  readonly durationMs: number
  readonly requests: number
  /** The check itself did not work. */
  readonly isBroken?: true
}

/** Lets a check judge, unless something earlier prevents it. Whatever a check does, it comes to an outcome. */
export async function settleCheck<Subject>(
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
