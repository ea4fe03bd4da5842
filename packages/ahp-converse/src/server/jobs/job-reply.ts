import type { AcceptedResponse } from '@doorplate/ahp-manifest/messages'
import { Refusal } from '../refusal.js'
import type { TurnReply } from '../turn-request.js'
import { etaSeconds } from './poll-body.js'
import type { StoredJob } from './stored-job.js'

/** What a visitor is told that has waited long enough. */
export function acceptedBody(job: StoredJob, now: number, statusPath: string): AcceptedResponse {
  const { id, callback } = job
  return {
    status: 'accepted',
    session_id: id,
    poll: `${statusPath}/${id}`,
    eta_seconds: etaSeconds(job, now),
    ...(callback === undefined ? {} : { callback: { method: 'POST', url: callback.url } }),
  }
}

/** The answer of a job to a visitor that has waited for it: of the session, as if there were no job. */
export function settledReply({ state, result, turn }: StoredJob): Exclude<TurnReply, AcceptedResponse> {
  if (state === 'success' && result !== undefined && result.status !== 'failed')
    return { ...result, session_id: turn.sessionId }
  const message = result?.status === 'failed' ? result.message : undefined
  return new Refusal({ code: 'concierge_error', message: message ?? 'The work was not done in its time.' })
}
