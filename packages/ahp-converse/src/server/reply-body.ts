import type { ContentSignals } from '@doorplate/ahp-manifest'
import type { ClarificationResponse, SuccessResponse } from '@doorplate/ahp-manifest/messages'
import type { CheckedAnswer, CheckedClarification } from './check-outcome.js'
import type { ServedCapability } from './served-capability.js'

interface HowAnswered {
  readonly sessionId: string
  readonly capability: ServedCapability
  readonly contentSignals: ContentSignals
  readonly isCached: boolean
}

/** What is the same whenever a kept answer is given. */
type KeptParts = Required<Pick<SuccessResponse, 'response' | 'meta'>>

const keptParts = new WeakMap<CheckedAnswer, KeptParts>()

/** `progress` tells the published schema of the draft that nothing is pending. */
export function successBody(answered: CheckedAnswer, how: HowAnswered): SuccessResponse {
  const { response, meta } = how.isCached ? keptPartsOf(answered, how) : partsOf(answered, how)
  return { status: 'success', session_id: how.sessionId, progress: null, response, meta }
}

/** Frozen: many visitors get the same objects. */
function keptPartsOf(answered: CheckedAnswer, how: HowAnswered): KeptParts {
  let parts = keptParts.get(answered)
  if (parts === undefined) {
    parts = deepFrozen(partsOf(answered, how))
    keptParts.set(answered, parts)
  }
  return parts
}

function partsOf(
  answered: CheckedAnswer,
  { capability, contentSignals, isCached }: Omit<HowAnswered, 'sessionId'>,
): KeptParts {
  const { answer, contentType, fallbackFrom, payload, tokensUsed, toolsUsed } = answered
  const { sources, suggestedQueries } = answered
  return {
    response: {
      content_type: contentType,
      answer,
      ...(payload === undefined ? {} : { payload }),
      sources: [...sources],
      ...(suggestedQueries.length === 0 ? {} : { follow_up: { suggested_queries: [...suggestedQueries] } }),
    },
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

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
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
