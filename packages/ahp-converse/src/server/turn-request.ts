import type {
  AcceptedResponse,
  ClarificationResponse,
  SuccessResponse,
} from '@doorplate/ahp-manifest/messages'
import type { Principal } from '../turn.js'
import type { VerifiedAgent } from './identify-agent.js'
import type { AgreedType } from './negotiate-type.js'
import type { Question } from './read-question.js'
import type { Terms } from './read-terms.js'
import type { Refusal } from './refusal.js'

/** A question that may be asked, with the type that was agreed for its answer. */
export interface TurnRequest extends Question {
  readonly agreed: AgreedType
  readonly address: string
  /** What sessions and jobs of strangers are bound to. */
  readonly ownerAddress: string
  readonly principal: Principal | undefined
  /** The agent that signed the request. */
  readonly agent: VerifiedAgent | undefined
  readonly terms: Terms
  /** Gives the signal that aborts when the visitor is gone. */
  readonly visitor: () => AbortSignal | undefined
}

export type TurnReply = SuccessResponse | ClarificationResponse | AcceptedResponse | Refusal
