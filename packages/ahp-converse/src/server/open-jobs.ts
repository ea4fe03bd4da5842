import type { ConciergeConfig } from './concierge-config.js'
import { readCallbackOptions } from './callbacks/callback-options.js'
import { type Callbacks, createCallbacks } from './callbacks/callbacks.js'
import { type FaultListener, reportFailure } from './fault.js'
import { createJobAnswerer } from './jobs/answer-job.js'
import { type JobSettings, readJobOptions } from './jobs/job-options.js'
import { createJobResultMaker, type JobResultMaker } from './jobs/job-result.js'
import { createJobs, type Jobs } from './jobs/jobs.js'
import type { SiteEvents } from './observe/site-events.js'
import { openPeople, type People } from './operators/open-people.js'
import type { OperatorInbox } from './operators/operator-inbox.js'
import type { ServedCapability } from './served-capability.js'
import { createJobTurns, type JobTurns } from './take-job-turn.js'

export interface SiteJobs {
  /** Undefined where no capability is answered as a job. */
  readonly opened: OpenJobs | undefined
  readonly inbox: OperatorInbox
}

export interface OpenJobs {
  readonly jobs: Jobs
  readonly jobTurns: JobTurns
  readonly callbacks: Callbacks | undefined
  /** The longest that a visitor may have to wait. */
  readonly maxEtaSeconds: number
}

export interface JobSurroundings {
  /** The path of the converse endpoint. */
  readonly converse: string
  readonly events: SiteEvents
  readonly onError: FaultListener
}

/** The jobs of a site, and the people to whom they are handed. @throws {ConverseError} `invalid_option` */
export function openJobs(
  config: ConciergeConfig,
  capabilities: ReadonlyMap<string, ServedCapability>,
  surroundings: JobSurroundings,
): SiteJobs {
  const settings = readJobOptions(config.jobs ?? {})
  const makeResult = createJobResultMaker({ ...config, ...settings, capabilities })
  const people = openPeople(config, capabilities, { makeResult, onError: surroundings.onError })
  const opened = openWork(config, capabilities, { ...surroundings, settings, makeResult, people })
  return { opened, inbox: people.inbox(opened?.jobs) }
}

interface WorkParts extends JobSurroundings {
  readonly settings: JobSettings
  readonly makeResult: JobResultMaker
  readonly people: People
}

function openWork(
  config: ConciergeConfig,
  capabilities: ReadonlyMap<string, ServedCapability>,
  { converse, events, onError, settings, makeResult, people }: WorkParts,
): OpenJobs | undefined {
  const { now = Date.now, random = fillRandomly } = config
  const callbackSettings = config.callbacks && readCallbackOptions(config.callbacks)
  const terms = [...capabilities.values()].flatMap(({ job }) => (job === undefined ? [] : [job]))
  if (terms.length === 0) return undefined
  const callbacks =
    callbackSettings &&
    createCallbacks(callbackSettings, {
      now,
      random,
      onTried: events.callbackTried,
      onError: (error) => {
        reportFailure(onError, error, 'callback')
      },
    })
  const jobs = createJobs({
    settings,
    now,
    random,
    work: createJobAnswerer({ capabilities, makeResult, now, onError }),
    mayBeginAgain: ({ turn }) => capabilities.get(turn.capability)?.job?.restartable === true,
    // Without callbacks a result that waits for delivery, from before, keeps waiting.
    deliver: callbacks?.deliver ?? (({ job }) => Promise.resolve(job)),
    maxConcurrentDeliveries: callbacks?.maxConcurrent ?? 0,
    notify: people.notify,
    onAdded: events.jobAdded,
    onSettled(job) {
      events.jobSettled(job)
      people.onSettled(job)
    },
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
