import { cutText } from '../../cut-text.js'
import type { EscalationOutcome } from '../../outcome.js'
import type { Progress } from '../../turn.js'
import { checkEscalation, isEscalation, MAX_ETA_SECONDS } from '../check-outcome.js'
import { type FaultListener, refuseForFault, StageFailure } from '../fault.js'
import type { ServedCapability } from '../served-capability.js'
import type { HeldJob } from './held-job.js'
import type { JobResultMaker } from './job-result.js'
import type { WorkResult } from './job-runner.js'
import type { JobProgress, StoredJob } from './stored-job.js'

export interface JobAnswerParts {
  readonly capabilities: ReadonlyMap<string, ServedCapability>
  readonly makeResult: JobResultMaker
  readonly now: () => number
  readonly onError: FaultListener
}

const MAX_PROGRESS_LENGTH = 256

/** Has a job answered. Gives nothing when it was not this process's any more, or has ended in the meantime. */
export function createJobAnswerer(parts: JobAnswerParts): (held: HeldJob) => Promise<WorkResult | undefined> {
  const { capabilities, makeResult, now, onError } = parts

  return async function answerJob(held) {
    const { job, signal } = held
    let isAnswered = false
    try {
      const capability = capabilities.get(job.turn.capability)
      if (capability === undefined) throw new Error(`There is no capability ${job.turn.capability} any more.`)
      const outcome = await capability.answer({
        ...job.turn,
        idempotencyKey: job.id,
        reportProgress: (progress) => {
          if (!isAnswered) held.report(progressOf(progress))
        },
        signal,
      })
      isAnswered = true
      if (isEscalation(outcome)) return handOver(outcome, job)
      return { state: 'success', result: await makeResult(outcome, job) }
    } catch (error) {
      isAnswered = true
      if (signal.aborted) return undefined
      const { message } = refuseForFault(onError, asAnswerFault(error), job.turn.capability).body
      return { state: 'failed', result: { status: 'failed', session_id: job.id, message } }
    }
  }

  function progressOf({ text, etaSeconds }: Progress): JobProgress {
    return {
      ...(typeof text === 'string' ? { text: cutText(text, MAX_PROGRESS_LENGTH) } : {}),
      ...(Number.isFinite(etaSeconds)
        ? { readyAt: now() + Math.min(Math.max(Number(etaSeconds), 0), MAX_ETA_SECONDS) * 1000 }
        : {}),
    }
  }

  function handOver(outcome: EscalationOutcome, job: StoredJob): WorkResult {
    const { note, etaSeconds } = checkEscalation(outcome)
    return {
      handOver: {
        queue: 'operator',
        state: 'waiting',
        handedOverAt: now(),
        ...(note === undefined ? {} : { note }),
        progress: { ...job.progress, ...progressOf(etaSeconds === undefined ? {} : { etaSeconds }) },
      },
    }
  }
}

function asAnswerFault(error: unknown): StageFailure {
  return error instanceof StageFailure ? error : new StageFailure('answer', error)
}
