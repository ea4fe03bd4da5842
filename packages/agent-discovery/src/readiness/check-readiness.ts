import {
  RequestLog,
  runChecks,
  selectChecks,
  type CheckResult,
  type ConformanceReport,
  type Selection,
} from '@doorplate/conformance-kit'
import { discover } from '../discover/discover.js'
import { DISCOVER_OPTION_NAMES, type DiscoverOptions } from '../discover/start-discovery.js'
import { checkOption, isAbsentOr, isTexts } from '../options/check-option.js'
import { checkOptionNames, type MemberNames } from '../options/check-option-names.js'
import { COMMAND } from '../package-version.js'
import { READINESS_CHECKS } from './checks.js'
import { requirementOf } from './requirements.js'

/** Options of `checkReadiness`. */
export interface ReadinessOptions extends DiscoverOptions, Selection {
  /** Count warnings as failures. Default false. */
  readonly failOnWarning?: boolean
  /** Told about each check as soon as it is settled. */
  readonly onCheck?: (result: CheckResult) => void
}

const OPTION_NAMES: MemberNames<ReadinessOptions> = {
  ...DISCOVER_OPTION_NAMES,
  only: true,
  skip: true,
  failOnWarning: true,
  onCheck: true,
}

/** The version of the list of checks. */
export const READINESS_VERSION = '1'

/**
 * Discovers what a site offers and reports what is broken, what is missing and what does not apply, each with its remedy. There
 * is no score.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`; `ConformanceError` `unknown_check`; rejects with the signal's reason
 */
export async function checkReadiness(
  url: string | URL,
  options: ReadinessOptions = {},
): Promise<ConformanceReport> {
  checkOptionNames(options, OPTION_NAMES)
  const { only, skip, failOnWarning, onCheck, ...discoverOptions } = options
  checkOption('only', only === undefined || isTexts(only), 'a list of texts')
  checkOption('skip', skip === undefined || isTexts(skip), 'a list of texts')
  checkOption('failOnWarning', isAbsentOr('boolean', failOnWarning), 'true or false')
  checkOption('onCheck', isAbsentOr('function', onCheck), 'a function')
  selectChecks(READINESS_CHECKS, { ...(only && { only }), ...(skip && { skip }) })
  const startedAt = Date.now()
  const result = await discover(url, {
    ...discoverOptions,
    maxResources: discoverOptions.maxResources ?? 200,
  })
  // The checks judge what was found and send nothing: the log only carries the signal.
  const log = new RequestLog(
    () => Promise.reject(new TypeError('no requests')),
    options.signal ? { signal: options.signal } : {},
  )
  try {
    const report = await runChecks(READINESS_CHECKS, result, {
      protocol: 'readiness',
      protocolVersion: READINESS_VERSION,
      baseUrl: result.finalUrl,
      runner: COMMAND,
      requirementOf,
      log,
      ...(only && { only }),
      ...(skip && { skip }),
      ...(failOnWarning !== undefined && { failOnWarning }),
      ...(onCheck && { onCheck }),
    })
    const { requests, bytes } = result.budget
    return {
      ...report,
      started_at: new Date(startedAt).toISOString(),
      duration_ms: Date.now() - startedAt,
      requests: { count: requests, bytes },
    }
  } finally {
    log.close()
  }
}
