import type { Check } from './check.js'
import { isConformanceError, type ConformanceError } from './errors.js'
import type { CheckResult, ConformanceReport } from './report.js'
import { RequestLog, type LoggedRequest, type RequestLogOptions } from './request-log.js'
import type { RequestPort } from './request-port.js'
import { runChecks, type RunChecksOptions } from './run-checks.js'
import type { Selection } from './select-checks.js'
import { checkOptionTypes, type OptionType } from './validate-option.js'

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
  /** Told when the run begins to wait because the site asks for it, and for how many milliseconds; by the runner. */
  readonly onWait?: (waitMs: number) => void
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
  onWait: 'callback',
}

/** What a run may cost. Defaults: those of `RequestLog`. */
export type RunLimits = Pick<
  RequestLogOptions,
  'maxRequests' | 'maxTotalBytes' | 'maxResponseBytes' | 'deadlineMs'
>

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
  /** Default: those of `RequestLog`. */
  readonly limits?: RunLimits
  /** What the caller of the runner decides. Default: all checks, and nobody is told. */
  readonly run?: RunOptions
  /** What the checks judge. */
  readonly subject: (log: RequestLog) => Subject
}

/**
 * Runs checks of a site within limits and reports, whatever the site does; closes the port, also where it refuses. Options
 * are refused before any request.
 *
 * @throws {ConformanceError} `invalid_option`, `invalid_suite`, `unknown_check`
 */
export async function checkSite<Subject>(
  checks: readonly Check<Subject>[],
  options: CheckSiteOptions<Subject>,
): Promise<ConformanceReport> {
  checkOptionTypes(options, {})
  const { port } = options
  checkOptionTypes(port, PORT_TYPES, { owner: 'port', required: Object.keys(PORT_TYPES) })
  try {
    return await checkThrough(port, checks, options)
  } finally {
    await port.close()
  }
}

const PORT_TYPES = { request: 'callback', close: 'callback' } as const

async function checkThrough<Subject>(
  port: OpenPort,
  checks: readonly Check<Subject>[],
  { port: _, limits = {}, run = {}, subject, ...about }: CheckSiteOptions<Subject>,
): Promise<ConformanceReport> {
  checkOptionTypes({ subject }, { subject: 'callback' }, { required: ['subject'] })
  checkOptionTypes(limits, {}, { owner: 'limits' })
  checkOptionTypes(run, RUN_OPTION_TYPES, { owner: 'run' })
  const { signal, onRequest } = run
  const log = new RequestLog(port.request, {
    ...picked(limits, ['maxRequests', 'maxTotalBytes', 'maxResponseBytes', 'deadlineMs']),
    ...(signal && { signal }),
    ...(onRequest && { onRequest }),
  })
  try {
    return await runChecks(checks, subject(log), {
      ...about,
      log,
      ...picked(run, ['now', 'only', 'skip', 'failOnWarning', 'onCheck']),
    })
  } finally {
    log.close()
  }
}

/** Those that are given: the settings of a runner hold its other options too. */
function picked<Options extends object, Name extends keyof Options>(
  options: Options,
  names: readonly Name[],
): { [Given in Name]?: Exclude<Options[Given], undefined> } {
  const given = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]])
  return Object.fromEntries(given) as { [Given in Name]?: Exclude<Options[Given], undefined> }
}

/** Whether an error of this package is about an option of the run, so that the caller is to blame. */
export function isAboutOptions(error: unknown): error is ConformanceError {
  return isConformanceError(error) && (error.code === 'unknown_check' || error.code === 'invalid_option')
}
