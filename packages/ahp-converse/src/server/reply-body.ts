import type { ContentSignals } from '@doorplate/ahp-manifest'
import type { Answer, ClarificationResponse, SuccessResponse } from '@doorplate/ahp-manifest/messages'
import type { CheckedAnswer, CheckedClarification } from './check-outcome.js'
import type { ServedCapability } from './served-capability.js'

interface HowAnswered {
  readonly sessionId: string
  readonly capability: ServedCapability
  readonly contentSignals: ContentSignals
  readonly isCached: boolean
}

/** `progress` tells the published schema of the draft that nothing is pending. */
export function successBody(
  answered: CheckedAnswer,
  { sessionId, capability, contentSignals, isCached }: HowAnswered,
): SuccessResponse {
  const { contentType, fallbackFrom, tokensUsed, toolsUsed } = answered
  return {
    status: 'success',
    session_id: sessionId,
    progress: null,
    response: answerBody(answered),
    meta: {
      tokens_used: isCached ? 0 : tokensUsed,
      capability_used: capability.name,
      mode: capability.mode,
      cached: isCached,
      content_type: contentType,
      ...(fallbackFrom === undefined ? {} : { fallback_from: fallbackFrom }),
      content_signals: contentSignals,
      ...(toolsUsed === undefined ? {} : { tools_used: [...toolsUsed] }),
    },
  }
}

/** An answer that is given twice is the same object both times. */
const answerBodies = new WeakMap<CheckedAnswer, Answer>()

function answerBody(answered: CheckedAnswer): Answer {
  const known = answerBodies.get(answered)
  if (known !== undefined) return known
  const { answer, contentType, payload, sources, suggestedQueries } = answered
  const body: Answer = {
    content_type: contentType,
    answer,
    ...(payload === undefined ? {} : { payload }),
    sources: [...sources],
    ...(suggestedQueries.length === 0 ? {} : { follow_up: { suggested_queries: [...suggestedQueries] } }),
  }
  answerBodies.set(answered, body)
  return body
}

/** The question stands where the specification has it, and once more where readers of answers look. */
export function clarificationBody(
  { question, options, freeForm }: CheckedClarification,
  { sessionId, capability, contentSignals, isCached }: HowAnswered,
): ClarificationResponse & { readonly response: object } {
  const clarification = {
    question,
    options: options.length === 0 ? null : [...options],
    free_form: freeForm,
  }
  return {
    status: 'clarification_needed',
    session_id: sessionId,
    clarification,
    response: { answer: question, clarification },
    meta: {
      capability_used: capability.name,
      mode: capability.mode,
      cached: isCached,
      content_signals: contentSignals,
    },
  }
}
