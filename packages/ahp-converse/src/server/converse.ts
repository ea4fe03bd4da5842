import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import type { Principal } from '../turn.js'
import { authorise } from './authorise.js'
import type { VerifyCredential } from './credential.js'
import { type FaultListener, refuseForFault } from './fault.js'
import { type Caller, createIdentify } from './identify-caller.js'
import type { RateLimits, RateVerdict } from './limits/rate-limits.js'
import { mergedFields } from './merged-fields.js'
import { negotiateType } from './negotiate-type.js'
import { type Question, readQuestion } from './read-question.js'
import { rateLimited, Refusal } from './refusal.js'
import type { ServedCapability } from './served-capability.js'
import type { TurnReply, TurnRequest } from './take-turn.js'

/** A request to the concierge, from whatever way in. */
export interface ConverseCall {
  /** The parsed body, unchecked. */
  readonly request: unknown
  /** Whose request it is: limits, sessions and rights are those of this caller. */
  readonly caller: Caller
  /** Aborts when the caller is gone. */
  readonly signal?: AbortSignal | undefined
}

/** What every way in carries back in its own form. */
export interface ConverseReply {
  /** The HTTP status that belongs to it. */
  readonly status: number
  /** What is to be said of limits and credentials, by lower-case name of a field. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ConverseResponse
}

export interface ConverseParts {
  readonly capabilities: ReadonlyMap<string, ServedCapability>
  readonly verify: VerifyCredential | undefined
  readonly limits: RateLimits
  readonly takeTurn: (asked: TurnRequest) => Promise<TurnReply>
  readonly onError: FaultListener | undefined
}

/**
 * The one way of every request: its caller is identified, it is read and counted, and a turn of a session is taken. Rejects
 * only when the caller is gone, with the reason of its signal.
 */
export function createConverse(parts: ConverseParts): (call: ConverseCall) => Promise<ConverseReply> {
  const { capabilities, limits, takeTurn, onError } = parts
  const identify = createIdentify(parts)

  return async function converse(call) {
    const identity = await identify(call.caller)
    if (identity instanceof Refusal) return replyOf(identity)
    const question = readQuestion(call.request, capabilities)
    const verdict = await count(question, identity, call)
    const body = verdict.allowed ? await answer(question, identity, call) : rateLimited(verdict)
    return replyOf(body, verdict.headers)
  }

  /** What cannot be understood is no question: it counts as reading. */
  function count(
    question: Question | Refusal,
    principal: Principal | undefined,
    { caller: { address } }: ConverseCall,
  ): Promise<RateVerdict> {
    if (question instanceof Refusal) return limits.take({ address, principal: principal?.id }, 'read')
    const agent = question.request.context.requesting_agent
    return limits.take({ address, principal: principal?.id, agent }, question.capability.tier)
  }

  async function answer(
    question: Question | Refusal,
    principal: Principal | undefined,
    call: ConverseCall,
  ): Promise<ConverseResponse | Refusal> {
    if (question instanceof Refusal) return question
    const { capability, request } = question
    const barred = authorise(capability, principal)
    if (barred !== undefined) return barred
    const agreed = negotiateType(capability, request.context.accept_types)
    if (agreed instanceof Refusal) return agreed
    try {
      const { address } = call.caller
      return await takeTurn({ capability, request, agreed, address, principal, visitor: () => call.signal })
    } catch (error) {
      if (call.signal?.aborted === true) throw call.signal.reason
      return refuseForFault(onError, error, capability.name)
    }
  }
}

function replyOf(
  body: ConverseResponse | Refusal,
  headers: Readonly<Record<string, string>> = {},
): ConverseReply {
  if (!(body instanceof Refusal)) return { status: 200, headers, body }
  return { status: body.status, headers: mergedFields(headers, body.headers), body: body.body }
}
