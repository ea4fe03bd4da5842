import type { ConciergeConfig } from './concierge-config.js'
import { readCallbackOptions } from './callbacks/callback-options.js'
import { type Callbacks, createCallbacks } from './callbacks/callbacks.js'
import { reportFailure } from './fault.js'
import { createJobAnswerer } from './jobs/answer-job.js'
import { readJobOptions } from './jobs/job-options.js'
import { createJobs, type Jobs } from './jobs/jobs.js'
import type { ServedCapability } from './served-capability.js'
import { createJobTurns, type JobTurns } from './take-job-turn.js'

export interface OpenJobs {
  readonly jobs: Jobs
  readonly jobTurns: JobTurns
  readonly callbacks: Callbacks | undefined
  /** The longest that a visitor may have to wait. */
  readonly maxEtaSeconds: number
}

/** The jobs of a site; undefined where no capability is answered as one. @throws {ConverseError} `invalid_option` */
export function openJobs(
  config: ConciergeConfig,
  capabilities: ReadonlyMap<string, ServedCapability>,
  converse: string,
): OpenJobs | undefined {
  const { contentSignals, onError, now = Date.now, random = fillRandomly } = config
  const settings = readJobOptions(config.jobs ?? {})
  const callbackSettings = config.callbacks && readCallbackOptions(config.callbacks)
  const terms = [...capabilities.values()].flatMap(({ job }) => (job === undefined ? [] : [job]))
  if (terms.length === 0) return undefined
  const callbacks =
    callbackSettings &&
    createCallbacks(callbackSettings, {
      now,
      onError: (error) => {
        reportFailure(onError, error, 'callback')
      },
    })
  const jobs = createJobs({
    settings,
    now,
    random,
    work: createJobAnswerer({ ...settings, capabilities, contentSignals, now, onError }),
    mayBeginAgain: ({ turn }) => capabilities.get(turn.capability)?.job?.restartable === true,
    // Without callbacks a result that waits for delivery, from before, keeps waiting.
    deliver: callbacks?.deliver ?? (({ job }) => Promise.resolve(job)),
    maxConcurrentDeliveries: callbacks?.maxConcurrent ?? 0,
    onError: (error) => {
      reportFailure(onError, error, 'state')
    },
  })
  const longestMs = Math.max(...terms.map(({ expireAfterMs = settings.expireAfterMs }) => expireAfterMs))
  return {
    jobs,
    callbacks,
    jobTurns: createJobTurns({ jobs, statusPath: `${converse}/status`, now }),
    maxEtaSeconds: Math.ceil(longestMs / 1000),
  }
}

function fillRandomly(bytes: Uint8Array<ArrayBuffer>): void {
  crypto.getRandomValues(bytes)
}
