import { checkSite, isAboutOptions, secretsIn, type ConformanceReport } from '@doorplate/conformance-kit'
import { conformanceChecks } from './checks/conformance-checks.js'
import { InvalidConformanceOptionsError } from './errors.js'
import { resolveOptions, type RunConformanceOptions, type RunSettings } from './options.js'
import { RUNNER } from './package-version.js'
import { openPort } from './request-port.js'
import { requirementOf } from './requirements.js'
import { createSite } from './site/site.js'

/**
 * Checks a deployed site and reports. Everything that the site does is in the report, also when it cannot be reached at
 * all or the run is aborted; only a wrong call throws, before any request.
 *
 * @param baseUrl an URL of the site; its path is ignored
 * @throws {AadpConformanceError} `invalid_base_url`, `unsupported_version`, `invalid_option`
 */
export async function runConformance(
  baseUrl: string | URL,
  options: RunConformanceOptions = {},
): Promise<ConformanceReport> {
  const settings = resolveOptions(baseUrl, options)
  const { profile, now = Date.now } = options
  const startedAtMs = timeOf(now)
  const port = openPort(settings, options)
  try {
    return await checkSite(conformanceChecks(settings.version), {
      protocol: 'aadp',
      protocolVersion: settings.version,
      baseUrl: settings.origin,
      runner: RUNNER,
      requirementOf,
      settings: reportedSettings(settings),
      secrets: secretsIn(options),
      ...(profile !== undefined && { profile }),
      port,
      limits: settings,
      run: options,
      subject: (log) => createSite(settings, log, startedAtMs),
    })
  } catch (error) {
    if (!isAboutOptions(error)) throw error
    throw new InvalidConformanceOptionsError(error.option ?? 'only', error.message, error)
  }
}

/** A time that a date can hold (ECMA-262, 21.4.1.1). */
function timeOf(now: () => number): number {
  const time = now()
  if (Math.abs(time) <= 8.64e15) return time
  throw new InvalidConformanceOptionsError('now', 'Option now must be a clock in milliseconds.')
}

function reportedSettings(settings: RunSettings): ConformanceReport['settings'] {
  const { entities, seed, maxPages, maxEntities, maxSitemaps, maxRequests, deadlineMs } = settings
  return {
    entities,
    seed,
    max_pages: maxPages,
    max_entities: maxEntities,
    max_sitemaps: maxSitemaps,
    max_requests: maxRequests,
    deadline_ms: deadlineMs,
  }
}
