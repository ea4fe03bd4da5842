import {
  isConformanceError,
  RequestLog,
  runChecks,
  type ConformanceError,
  type ConformanceReport,
} from '@doorplate/conformance-kit'
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
  const { profile, only, failOnWarning, signal, now = Date.now, onCheck, onRequest } = options
  const startedAtMs = timeOf(now)
  const port = openPort(settings, options)
  const log = new RequestLog(port.request, {
    maxRequests: settings.maxRequests,
    maxTotalBytes: settings.maxTotalBytes,
    maxResponseBytes: settings.maxResponseBytes,
    deadlineMs: settings.deadlineMs,
    ...(signal && { signal }),
    ...(onRequest && { onRequest }),
  })
  try {
    return await runChecks(conformanceChecks(settings.version), createSite(settings, log, startedAtMs), {
      protocol: 'aadp',
      protocolVersion: settings.version,
      baseUrl: settings.origin,
      runner: RUNNER,
      requirementOf,
      log,
      now,
      settings: reportedSettings(settings),
      secrets: secretsIn(options),
      ...(profile !== undefined && { profile }),
      ...(only && { only }),
      ...(failOnWarning !== undefined && { failOnWarning }),
      ...(onCheck && { onCheck }),
    })
  } catch (error) {
    if (!isConformanceError(error) || !isAboutOptions(error)) throw error
    throw new InvalidConformanceOptionsError(error.option ?? 'only', error.message, error)
  } finally {
    log.close()
    await port.close()
  }
}

/** A time that a date can hold (ECMA-262, 21.4.1.1). */
function timeOf(now: () => number): number {
  const time = now()
  if (Math.abs(time) <= 8.64e15) return time
  throw new InvalidConformanceOptionsError('now', 'Option now must be a clock in milliseconds.')
}

/** A site may repeat what it was sent: the words of header values that are not for everybody, short ones aside. */
function secretsIn({ headers = {}, crossOriginSafeHeaders = [] }: RunConformanceOptions): readonly string[] {
  const open = new Set(crossOriginSafeHeaders.map((name) => name.toLowerCase()))
  return Object.entries(headers)
    .filter(([name]) => !open.has(name.toLowerCase()) && !NOT_SECRET.has(name.toLowerCase()))
    .flatMap(([, value]) => value.split(/[\s;,]+/))
    .filter((word) => word.length >= MIN_SECRET_LENGTH)
}

const NOT_SECRET: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])

const MIN_SECRET_LENGTH = 8

function isAboutOptions({ code }: ConformanceError): boolean {
  return code === 'unknown_check' || code === 'invalid_option'
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
