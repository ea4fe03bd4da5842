import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import type { Principal } from '../turn.js'
import { authorise } from './authorise.js'
import type { Awaitable } from './awaitable.js'
import type { Callbacks } from './callbacks/callbacks.js'
import { type FaultListener, refuseForFault, reportFailure } from './fault.js'
import type { IdentifyAgent, VerifiedAgent } from './identify-agent.js'
import type { AskCall } from './converse-call.js'
import type { Caller, Identify } from './identify-caller.js'
import type { RateLimits, RateVerdict } from './limits/rate-limits.js'
import type { Question } from './read-question.js'
import { readTerms } from './read-terms.js'
import { rateLimited, Refusal } from './refusal.js'
import { type ConverseReply, replyOf } from './reply-of.js'
import type { TurnReply, TurnRequest } from './turn-request.js'

export interface ConverseParts {
  readonly identify: Identify
  readonly identifyAgent: IdentifyAgent | undefined
  readonly callbacks: Callbacks | undefined
  readonly limits: RateLimits
  readonly takeTurn: (asked: TurnRequest) => Promise<TurnReply>
  readonly onError: FaultListener
}

/** Answers what was read of a request. */
export type Ask = (question: Question | Refusal, call: AskCall) => Promise<ConverseReply>

/**
 * The one way of every request that was read: its caller is identified, it is counted, and a turn of a session is taken. Rejects
 * only when the caller is gone, with the reason of its signal.
 */
export function createAsk(parts: ConverseParts): Ask {
  const { identify, identifyAgent, callbacks, limits, takeTurn, onError } = parts

  return async function ask(question, call) {
    const identity = await identify(call.caller)
    if (identity instanceof Refusal) return replyOf(identity)
    const agent = identifyAgent === undefined ? undefined : await agentOf(call.caller, identifyAgent)
    const verdict = await count(question, identity, call, agent)
    const body = verdict.allowed ? await answer(question, identity, call, agent) : rateLimited(verdict)
    return replyOf(body, verdict.headers)
  }

  /** A signature that cannot be checked proves nothing, and hinders nothing. */
  async function agentOf(
    { agent, signed }: Caller,
    identifySigned: IdentifyAgent,
  ): Promise<VerifiedAgent | undefined> {
    if (agent !== undefined || signed === undefined) return agent
    try {
      return (await identifySigned(signed)) ?? undefined
    } catch (error) {
      reportFailure(onError, error, 'verify')
      return undefined
    }
  }

  /** What cannot be understood is no question: it counts as reading. */
  function count(
    question: Question | Refusal,
    principal: Principal | undefined,
    { caller: { address } }: AskCall,
    verified: VerifiedAgent | undefined,
  ): Awaitable<RateVerdict> {
    const isQuestion = !(question instanceof Refusal)
    const agent = isQuestion ? question.request.context.requesting_agent : undefined
    const caller = { address, principal: principal?.id, verifiedAgent: verified?.id, agent }
    return limits.take(caller, isQuestion ? question.capability.tier : 'read')
  }

  async function answer(
    question: Question | Refusal,
    principal: Principal | undefined,
    call: AskCall,
    agent: VerifiedAgent | undefined,
  ): Promise<ConverseResponse | Refusal> {
    if (question instanceof Refusal) return question
    const { capability, request, agreed, key } = question
    const barred = authorise(capability, principal)
    if (barred !== undefined) return barred
    if (agreed instanceof Refusal) return agreed
    try {
      const { address, ownerAddress = address } = call.caller
      const terms = await readTerms(question, principal, call, callbacks)
      if (terms instanceof Refusal) return terms
      const visitor = (): AbortSignal | undefined => call.signal
      const who = { address, ownerAddress, principal, agent }
      return await takeTurn({ capability, request, agreed, key, terms, visitor, ...who })
    } catch (error) {
      if (call.signal?.aborted === true) throw call.signal.reason
      return refuseForFault(onError, error, capability.name)
    }
  }
}
