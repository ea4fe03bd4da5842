import { REGISTERED_TYPES, type RegisteredType, type ValidationIssue } from '@doorplate/ahp-manifest'
import {
  validatePayload,
  type Answer,
  type ClarificationResponse,
  type ErrorResponse,
  type ExpiredResponse,
  type FailedResponse,
  type Payloads,
  type Source,
  type SuccessResponse,
} from '@doorplate/ahp-manifest/messages'
import { combineSignals, type StatedSignals } from './content-use.js'
import type { ReadResponse } from './read-response.js'
import type {
  AcceptedReply,
  AnswerInWords,
  AnswerReply,
  CitedSource,
  ClarificationReply,
  ErrorReply,
  ExpiredReply,
  FailedReply,
  FinalReply,
  JobHandle,
  RegisteredAnswer,
  Reply,
  ReplyOptions,
  Session,
  WaitOptions,
} from './reply.js'
import { webUrl } from './site-url.js'

export interface ReplyPlace {
  readonly session: Session
  /** What relative sources resolve against. */
  readonly baseUrl: string
  readonly siteSignals: StatedSignals
}

export function answerReply(
  { response: answer, meta = {} }: SuccessResponse,
  { warnings, rateLimit }: ReadResponse,
  { session, baseUrl, siteSignals }: ReplyPlace,
): AnswerReply {
  const { cited, dropped } = readSources(answer.sources ?? [], baseUrl)
  const words: AnswerInWords = {
    status: 'success',
    session,
    answer: answer.answer,
    sources: cited,
    suggestedQueries: answer.follow_up?.suggested_queries ?? [],
    contentSignals: combineSignals(siteSignals, meta.content_signals),
    meta,
    rateLimit,
    warnings: [...warnings, ...dropped],
  }
  return withPayload(words, answer)
}

/** What cannot be trusted to be of its type is reported as words alone. */
function withPayload(
  words: AnswerInWords,
  { content_type: type = 'text/answer', payload }: Answer,
): AnswerReply {
  if (isExtension(type))
    return { ...words, contentType: type, payload: payload as Record<string, unknown> | undefined }
  if (isPayloadType(type) && validatePayload(type, payload).valid) return registered(words, type, payload)
  return { ...words, contentType: 'text/answer', payload: undefined }
}

function isExtension(type: string): type is `x-${string}` {
  return type.startsWith('x-')
}

function isPayloadType(type: string): type is keyof Payloads {
  return type !== 'text/answer' && REGISTERED_TYPES.includes(type as RegisteredType)
}

/** The payload was validated against the schema from which the type is generated. */
function registered(words: AnswerInWords, contentType: keyof Payloads, payload: unknown): RegisteredAnswer {
  return { ...words, contentType, payload } as RegisteredAnswer
}

function readSources(
  sources: readonly Source[],
  baseUrl: string,
): { cited: CitedSource[]; dropped: ValidationIssue[] } {
  const cited: CitedSource[] = []
  const dropped: ValidationIssue[] = []
  for (const [index, { title, url, relevance }] of sources.entries()) {
    const target = webUrl(url, baseUrl)
    if (target) cited.push({ title, url: target.href, relevance })
    else dropped.push(unusableSource(index))
  }
  return { cited, dropped }
}

function unusableSource(index: number): ValidationIssue {
  const message = 'The source is left out: its URL is not one of http or https.'
  return {
    level: 'warning',
    code: 'source_not_resolvable',
    path: `/response/sources/${index}/url`,
    rule: 'AHP01-RES-009',
    message,
  }
}

export function errorReply(
  response: ErrorResponse,
  { httpStatus, warnings, rateLimit }: ReadResponse,
  session: Session,
): ErrorReply {
  return {
    status: 'error',
    session,
    code: response.code,
    message: response.message,
    httpStatus,
    availableCapabilities: response.available_capabilities ?? [],
    availableTypes: response.available_types ?? [],
    scope: response.scope,
    warnings,
    rateLimit,
  }
}

export function clarificationReply(
  { clarification: { question, options, free_form: freeForm } }: ClarificationResponse,
  { warnings, rateLimit }: ReadResponse,
  session: Session,
  reply: (text: string, options: ReplyOptions) => Promise<Reply>,
): ClarificationReply {
  const choices = options ?? []
  return {
    status: 'clarification_needed',
    session,
    question,
    options: choices,
    freeForm: freeForm ?? choices.length === 0,
    warnings,
    rateLimit,
    reply: (text, given = {}) => reply(text, given),
  }
}

export function acceptedReply(
  handle: JobHandle,
  { etaSeconds, warnings, rateLimit }: Pick<AcceptedReply, 'etaSeconds' | 'warnings' | 'rateLimit'>,
  session: Session,
  wait: (options: WaitOptions) => Promise<FinalReply>,
): AcceptedReply {
  return {
    status: 'accepted',
    session,
    jobId: handle.jobId,
    etaSeconds,
    handle,
    warnings,
    rateLimit,
    wait: (options = {}) => wait(options),
  }
}

export function endedReply(
  { status, message = '' }: FailedResponse | ExpiredResponse,
  { warnings, rateLimit }: ReadResponse,
  session: Session,
): FailedReply | ExpiredReply {
  return { status, session, message, warnings, rateLimit }
}
