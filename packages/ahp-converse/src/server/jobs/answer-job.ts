import type { ContentSignals } from '@doorplate/ahp-manifest'
import type { EscalationOutcome, Outcome } from '../../outcome.js'
import type { Progress } from '../../turn.js'
import {
  checkAnswer,
  checkClarification,
  invalidOutcome,
  isClarification,
  isEscalation,
} from '../check-outcome.js'
import { type FaultListener, refuseForFault, StageFailure } from '../fault.js'
import { clarificationBody, successBody } from '../reply-body.js'
import { withOutput } from '../schema/with-output.js'
import type { ServedCapability } from '../served-capability.js'
import type { HeldJob } from './held-job.js'
import type { WorkResult } from './job-runner.js'
import type { JobProgress, JobResult, StoredJob } from './stored-job.js'

export interface JobAnswerParts {
  readonly capabilities: ReadonlyMap<string, ServedCapability>
  readonly contentSignals: Readonly<ContentSignals>
  readonly maxResultLength: number
  readonly now: () => number
  readonly onError: FaultListener | undefined
}

const MAX_PROGRESS_LENGTH = 256

/** Has a job answered. Gives nothing when it was not this process's any more, or has ended in the meantime. */
export function createJobAnswerer(parts: JobAnswerParts): (held: HeldJob) => Promise<WorkResult | undefined> {
  const { capabilities, contentSignals, maxResultLength, now, onError } = parts

  return async function answerJob(held) {
    const { job, signal } = held
    try {
      const capability = capabilities.get(job.turn.capability)
      if (capability === undefined) throw new Error(`There is no capability ${job.turn.capability} any more.`)
      const outcome = await capability.answer({
        ...job.turn,
        idempotencyKey: job.id,
        reportProgress: (progress) => {
          held.report(progressOf(progress))
        },
        signal,
      })
      if (isEscalation(outcome)) return handOver(outcome, job)
      return { state: 'success', result: await resultOf(outcome, job, capability) }
    } catch (error) {
      if (signal.aborted) return undefined
      const { message } = refuseForFault(onError, asAnswerFault(error), job.turn.capability).body
      return { state: 'failed', result: { status: 'failed', session_id: job.id, message } }
    }
  }

  async function resultOf(
    outcome: Exclude<Outcome, EscalationOutcome>,
    { id, agreed, turn }: StoredJob,
    capability: ServedCapability,
  ): Promise<JobResult> {
    const how = { sessionId: id, capability, contentSignals, isCached: false }
    if (isClarification(outcome)) return clarificationBody(checkClarification(outcome), how)
    const complete = await withOutput(outcome, capability, agreed.contentType)
    const body = successBody(checkAnswer(complete, agreed, capability, turn.maxTokens), how)
    if (JSON.stringify(body).length > maxResultLength)
      throw invalidOutcome(`the answer must have at most ${maxResultLength} characters as JSON`)
    return body
  }

  function progressOf({ text, etaSeconds }: Progress): JobProgress {
    return {
      ...(typeof text === 'string' ? { text: text.slice(0, MAX_PROGRESS_LENGTH) } : {}),
      ...(Number.isFinite(etaSeconds) ? { readyAt: now() + Math.max(Number(etaSeconds), 0) * 1000 } : {}),
    }
  }

  function handOver({ escalation }: EscalationOutcome, job: StoredJob): WorkResult {
    const { note, etaSeconds } = escalation
    return {
      handOver: {
        queue: 'operator',
        state: 'waiting',
        ...(note === undefined ? {} : { note }),
        progress: { ...job.progress, ...progressOf(etaSeconds === undefined ? {} : { etaSeconds }) },
      },
    }
  }
}

function asAnswerFault(error: unknown): StageFailure {
  return error instanceof StageFailure ? error : new StageFailure('answer', error)
}
