import type { Check } from './check.js'
import { isConformanceError, type ConformanceError } from './errors.js'
import type { CheckResult, ConformanceReport } from './report.js'
import { RequestLog, type LoggedRequest } from './request-log.js'
import type { RequestPort } from './request-port.js'
import { runChecks, type RunChecksOptions } from './run-checks.js'
import type { Selection } from './select-checks.js'
import type { OptionType } from './validate-option.js'

/** What the caller of a runner decides about a run. */
export interface RunOptions extends Selection {
  /** Count a warning as a failure. Default false. */
  readonly failOnWarning?: boolean
  /** Ends the run early; the report of what was seen is still made. */
  readonly signal?: AbortSignal
  /** The wall clock in milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** Told about each check as soon as it is settled. */
  readonly onCheck?: (result: CheckResult) => void
  /** Told about each request as soon as it is over. */
  readonly onRequest?: (request: LoggedRequest) => void
}

/** Their types, for `checkOptionTypes`. */
export const RUN_OPTION_TYPES: Readonly<Record<keyof RunOptions, OptionType>> = {
  only: 'names',
  skip: 'names',
  failOnWarning: 'flag',
  signal: 'signal',
  now: 'callback',
  onCheck: 'callback',
  onRequest: 'callback',
}

/** What a run may cost. */
export interface RunLimits {
  readonly maxRequests: number
  readonly maxTotalBytes: number
  readonly maxResponseBytes: number
  readonly deadlineMs: number
}

/** A way to the network that is left when the run is over. */
export interface OpenPort {
  readonly request: RequestPort
  close(): Promise<void>
}

/** Options of `checkSite`. */
export interface CheckSiteOptions<Subject> extends Pick<
  RunChecksOptions,
  'protocol' | 'protocolVersion' | 'baseUrl' | 'runner' | 'requirementOf' | 'profile' | 'settings' | 'secrets'
> {
  readonly port: OpenPort
  readonly limits: RunLimits
  readonly run: RunOptions
  /** What the checks judge. */
  readonly subject: (log: RequestLog) => Subject
}

/**
 * Runs checks of a site within limits and reports, whatever the site does; closes the port. Options are refused before
 * any request.
 *
 * @throws {ConformanceError} `invalid_option`, `invalid_suite`, `unknown_check`
 */
export async function checkSite<Subject>(
  checks: readonly Check<Subject>[],
  { port, limits, run, subject, ...about }: CheckSiteOptions<Subject>,
): Promise<ConformanceReport> {
  const { only, skip, failOnWarning, signal, now, onCheck, onRequest } = run
  const { maxRequests, maxTotalBytes, maxResponseBytes, deadlineMs } = limits
  const log = new RequestLog(port.request, {
    maxRequests,
    maxTotalBytes,
    maxResponseBytes,
    deadlineMs,
    ...(signal && { signal }),
    ...(onRequest && { onRequest }),
  })
  try {
    return await runChecks(checks, subject(log), {
      ...about,
      log,
      ...(now && { now }),
      ...(only && { only }),
      ...(skip && { skip }),
      ...(failOnWarning !== undefined && { failOnWarning }),
      ...(onCheck && { onCheck }),
    })
  } finally {
    log.close()
    await port.close()
  }
}

/** Whether an error of this package is about an option of the run, so that the caller is to blame. */
export function isAboutOptions(error: unknown): error is ConformanceError {
  return isConformanceError(error) && (error.code === 'unknown_check' || error.code === 'invalid_option')
}
