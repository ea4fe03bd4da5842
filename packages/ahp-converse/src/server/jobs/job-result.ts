import type { ContentSignals } from '@doorplate/ahp-manifest'
import type { AnswerOutcome, ClarificationOutcome } from '../../outcome.js'
import { checkAnswer, checkClarification, invalidOutcome, isClarification } from '../check-outcome.js'
import { clarificationBody, successBody } from '../reply-body.js'
import { withOutput } from '../schema/with-output.js'
import type { ServedCapability } from '../served-capability.js'
import type { JobResult, StoredJob } from './stored-job.js'

export interface JobResultParts {
  readonly capabilities: ReadonlyMap<string, ServedCapability>
  readonly contentSignals: Readonly<ContentSignals>
  readonly maxResultLength: number
}

/** Rejects with `invalid_outcome` when the answer cannot be sent. */
export type JobResultMaker = (
  outcome: AnswerOutcome | ClarificationOutcome,
  job: StoredJob,
) => Promise<JobResult>

/** What a job ends with, whoever has answered it. */
export function createJobResultMaker(parts: JobResultParts): JobResultMaker {
  const { capabilities, contentSignals, maxResultLength } = parts

  return async function makeResult(outcome, { id, agreed, turn }) {
    const capability = capabilities.get(turn.capability)
    if (capability === undefined) throw invalidOutcome(`there is no capability ${turn.capability} any more`)
    const how = { sessionId: id, capability, contentSignals, isCached: false }
    if (isClarification(outcome)) return clarificationBody(checkClarification(outcome), how)
    const complete = await withOutput(outcome, capability, agreed.contentType)
    const body = successBody(checkAnswer(complete, agreed, capability, turn.maxTokens), how)
    if (JSON.stringify(body).length > maxResultLength)
      throw invalidOutcome(`the answer must have at most ${maxResultLength} characters as JSON`)
    return body
  }
}
