import type { ConciergeConfig } from '../concierge-config.js'
import { type FaultListener, reportFailure } from '../fault.js'
import type { JobResultMaker } from '../jobs/job-result.js'
import type { RunnerParts } from '../jobs/job-runner.js'
import type { Jobs } from '../jobs/jobs.js'
import { hasEnded, type StoredJob } from '../jobs/stored-job.js'
import type { ServedCapability } from '../served-capability.js'
import { readInboxOptions } from './inbox-options.js'
import { createNotifyStep } from './notify-step.js'
import { createOperatorInbox, type OperatorInbox } from './operator-inbox.js'
import { END_EVENTS, type Ticket, ticketOf } from './ticket.js'
import { createTicketEvents } from './ticket-events.js'

/** The people of a site, as its jobs see them. */
export interface People {
  readonly notify: RunnerParts['notify']
  /** To be told when a job has ended or been handed over. */
  readonly onSettled: (job: StoredJob) => void
  /** Where they find what was handed to them; empty where nothing is answered as a job. */
  inbox(jobs: Jobs | undefined): OperatorInbox
}

export interface PeopleParts {
  readonly makeResult: JobResultMaker
  readonly onError: FaultListener
}

/** @throws {ConverseError} `invalid_option` */
export function openPeople(
  { inbox = {}, now = Date.now }: ConciergeConfig,
  capabilities: ReadonlyMap<string, ServedCapability>,
  { makeResult, onError: onFault }: PeopleParts,
): People {
  const settings = readInboxOptions(inbox)
  const { emit, subscribe } = createTicketEvents({ onError })

  function onError(error: unknown): void {
    reportFailure(onFault, error, 'inbox')
  }

  function seen(job: StoredJob): Ticket {
    return ticketOf(job, { capability: capabilities.get(job.turn.capability), now: now() })
  }

  return {
    notify: createNotifyStep({ settings, ticketOf: seen, now, onError }),
    onSettled(job) {
      if (job.handedOverAt === undefined) return
      const type = hasEnded(job) ? END_EVENTS[job.state] : 'waiting'
      if (type !== undefined) emit({ type, ticket: seen(job) })
    },
    inbox: (jobs) =>
      createOperatorInbox({
        jobs,
        claimMs: settings.claimMs,
        ticketOf: seen,
        makeResult,
        emit,
        subscribe,
        now,
      }),
  }
}
