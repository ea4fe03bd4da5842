import { checkSite, secretsIn, type ConformanceReport } from '@doorplate/conformance-kit'
import { AHP_VERSION } from '@doorplate/ahp-manifest'
import { conformanceChecks } from './checks/conformance-checks.js'
import { optionError, resolveOptions, type RunConformanceOptions, type RunSettings } from './options.js'
import { RUNNER } from './package-version.js'
import { openPort } from './request-port.js'
import { requirementOf } from './requirements.js'
import { openCallbackSink } from './site/callback-sink.js'
import { createSite } from './site/site.js'
import { wrongCopyOf } from './wrong-credential.js'

/**
 * Checks a deployed site and reports. Everything that the site does is in the report, also when it cannot be reached at
 * all or the run is aborted; only a wrong call throws, before any request. It never sends a credential that it was not
 * given, and acts on the site only where `probes` names an action or a job.
 *
 * @param baseUrl an URL of the site; its path is ignored
 * @throws {AhpConformanceError} `invalid_base_url`, `invalid_option`, `cannot_listen`
 */
export async function runConformance(
  baseUrl: string | URL,
  options: RunConformanceOptions = {},
): Promise<ConformanceReport> {
  const settings = resolveOptions(baseUrl, options)
  const { credential, profile } = options
  const port = openPort(settings, options)
  const sink = settings.callback && (await openCallbackSink(settings.callback))
  try {
    return await checkSite(conformanceChecks(settings), {
      protocol: 'ahp',
      protocolVersion: AHP_VERSION,
      baseUrl: settings.origin,
      runner: RUNNER,
      requirementOf,
      settings: reportedSettings(settings),
      secrets: [
        ...secretsIn(options),
        ...(credential === undefined ? [] : [credential, wrongCopyOf(credential)]),
      ],
      ...(profile !== undefined && { profile }),
      port,
      limits: settings,
      run: options,
      subject: (log) => createSite(settings, log, sink),
    })
  } catch (error) {
    throw optionError(error)
  } finally {
    await sink?.close()
  }
}

function reportedSettings(settings: RunSettings): ConformanceReport['settings'] {
  const { maxTurns, jobTimeoutMs, maxWaitMs, maxRequests, deadlineMs, rate, credential, probes } = settings
  return {
    max_turns: maxTurns,
    job_timeout_ms: jobTimeoutMs,
    max_wait_ms: maxWaitMs,
    max_requests: maxRequests,
    deadline_ms: deadlineMs,
    rate,
    has_credential: credential !== undefined,
    probes: Object.keys(probes).sort().join(' '),
  }
}
