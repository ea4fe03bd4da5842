import type { ConverseReply } from './reply-of.js'
import { type FaultListener, refuseForFault } from './fault.js'
import type { Caller, Identify } from './identify-caller.js'
import { pollBody } from './jobs/poll-body.js'
import type { Jobs } from './jobs/jobs.js'
import type { RateLimits } from './limits/rate-limits.js'
import { invalidRequest, rateLimited, Refusal } from './refusal.js'
import { replyOf } from './reply-of.js'
import { ownerName } from './sessions/sessions.js'

export interface PollCall {
  /** The id of the job, as the last segment of its address. */
  readonly id: string
  readonly caller: Caller
}

export interface PollParts {
  readonly identify: Identify
  readonly limits: RateLimits
  readonly jobs: Jobs | undefined
  readonly now: () => number
  readonly onError: FaultListener
}

/** Nobody learns from it whether there is such a job of another. */
const NO_JOB = invalidRequest('There is no such job.', { status: 404 })

/** Tells a caller how far its job is. */
export function createPoll(parts: PollParts): (call: PollCall) => Promise<ConverseReply> {
  const { identify, limits, jobs, now, onError } = parts

  return async function poll({ id, caller }) {
    const identity = await identify(caller)
    if (identity instanceof Refusal) return replyOf(identity)
    const { address, ownerAddress = address } = caller
    const principal = identity?.id
    const verdict = await limits.take({ address, principal }, 'read')
    if (!verdict.allowed) return replyOf(rateLimited(verdict), verdict.headers)
    try {
      const job = await jobs?.read(id, ownerName({ address: ownerAddress, principal }))
      return replyOf(job === undefined ? NO_JOB : pollBody(job, now()), verdict.headers)
    } catch (error) {
      return replyOf(refuseForFault(onError, error), verdict.headers)
    }
  }
}
