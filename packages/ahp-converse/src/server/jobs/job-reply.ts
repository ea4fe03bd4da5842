import type { AcceptedResponse, ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { Refusal } from '../refusal.js'
import type { TurnReply } from '../turn-request.js'
import { hasEnded, type StoredJob } from './stored-job.js'

/** What a poll is answered, and what is posted to a callback URL. */
export function pollBody(job: StoredJob, now: number): ConverseResponse {
  const { id, state, result, progress } = job
  if (state === 'expired' || (!hasEnded(job) && job.expiresAt <= now)) {
    return { status: 'expired', session_id: id, message: 'The work was not done in its time.' }
  }
  if (result === undefined) {
    const text = progress?.text
    return {
      status: 'pending',
      session_id: id,
      ...(text === undefined ? {} : { progress: text }),
      eta_seconds: etaSeconds(job, now),
    }
  }
  if (result.status !== 'clarification_needed') return result
  const { question, options } = result.clarification
  const choice = options == null ? '' : ` (${options.join(' / ')})`
  return { status: 'failed', session_id: id, message: `Ask again, and say: ${question}${choice}` }
}

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

/** Never after the job expires, and not now: it is not there yet. */
function etaSeconds({ progress, expiresAt }: StoredJob, now: number): number {
  const readyAt = Math.min(progress?.readyAt ?? now, expiresAt)
  return Math.max(Math.ceil((readyAt - now) / 1000), 1)
}
