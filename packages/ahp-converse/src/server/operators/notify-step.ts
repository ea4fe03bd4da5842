import type { HeldJob } from '../jobs/held-job.js'
import type { StoredJob } from '../jobs/stored-job.js'
import type { InboxSettings } from './inbox-options.js'
import type { Ticket } from './ticket.js'

export interface NotifyParts {
  readonly settings: InboxSettings
  readonly ticketOf: (job: StoredJob) => Ticket
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

const MIN_RETRY_MS = 10_000
const MAX_RETRY_MS = 3_600_000

/** Tells people of a job that waits for them, and gives when that is due again; undefined where nobody wants to be told. */
export function createNotifyStep({
  settings: { notify, notifyTimeoutMs },
  ticketOf,
  now,
  onError,
}: NotifyParts): ((held: HeldJob) => Promise<Pick<StoredJob, 'dueAt'>>) | undefined {
  if (notify === undefined) return undefined

  return async function notifyOf({ job, signal: lost }) {
    const ticket = ticketOf(job)
    const signal = AbortSignal.any([lost, AbortSignal.timeout(notifyTimeoutMs)])
    try {
      await Promise.race([aborted(signal), Promise.resolve().then(() => notify(ticket, { signal }))])
      return { dueAt: job.expiresAt }
    } catch (error) {
      if (!lost.aborted) onError(error)
      // As long again as it has waited, so that the times between attempts double.
      const waitedMs = now() - ticket.waitsSince
      return { dueAt: now() + Math.min(Math.max(waitedMs, MIN_RETRY_MS), MAX_RETRY_MS) }
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    function onAbort(): void {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an abort rejects with its own reason
      reject(signal.reason)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
}
