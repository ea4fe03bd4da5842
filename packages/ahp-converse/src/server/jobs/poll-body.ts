import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
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

/** Never after the job expires, and not now: it is not there yet. */
export function etaSeconds({ progress, expiresAt }: StoredJob, now: number): number {
  const readyAt = Math.min(progress?.readyAt ?? now, expiresAt)
  return Math.max(Math.ceil((readyAt - now) / 1000), 1)
}
