import { invalidOption } from '../converse-error.js'
import type { Question } from './build-request.js'
import { checkNames, checkRecord } from './check-option.js'
import type { AskedQuestion, JobHandle, JobOptions } from './reply.js'

/** Accepted work as data that JSON can hold. */
export function jobHandle(
  jobId: string,
  pollUrl: string,
  { capability, query, options }: Question,
  sessionId: string | undefined,
): JobHandle {
  const { callback: _callback, signal: _signal, idempotencyKey: _key, ...said } = options
  return {
    jobId,
    pollUrl,
    ...(sessionId !== undefined && { sessionId }),
    question: { capability: capability.name, query, ...said },
  }
}

const HANDLE = ['jobId', 'pollUrl', 'sessionId', 'question'] satisfies readonly (keyof JobHandle)[]
const QUESTION = [
  'capability',
  'query',
  'acceptTypes',
  'input',
  'intent',
  'locale',
  'maxTokens',
] satisfies readonly (keyof AskedQuestion)[]

/** Throws `invalid_option`: what was kept may have been changed. */
export function checkJobHandle(handle: JobHandle, options: JobOptions): void {
  checkRecord('handle', handle)
  checkNames(handle, HANDLE)
  checkNames(options, ['callback'])
  const { jobId, pollUrl, sessionId, question } = handle
  if (typeof jobId !== 'string' || jobId === '' || /\p{Cs}/u.test(jobId))
    throw invalidOption('jobId', 'must be a text')
  if (pollUrl !== undefined && typeof pollUrl !== 'string') throw invalidOption('pollUrl', 'must be a URL')
  if (sessionId !== undefined && typeof sessionId !== 'string')
    throw invalidOption('sessionId', 'must be a text')
  if (question === undefined) return
  checkRecord('question', question)
  checkNames(question, QUESTION)
  if (typeof question.capability !== 'string' || typeof question.query !== 'string')
    throw invalidOption('question', 'must have a capability and a query')
}
