import type { Source } from '@doorplate/ahp-manifest/messages'

/** One accepted turn of a conversation, as whoever answers it sees it. Every text in it was written by a stranger. */
export interface Turn {
  /** The name of the declared capability. */
  readonly capability: string
  /** 1 to 4,096 characters. In the answer to a clarification: the question that was asked first. */
  readonly query: string
  /** Structured input, checked against the capability's input schema. */
  readonly input?: Readonly<Record<string, unknown>>
  /** The visitor's reply to the question the last turn of the session asked. */
  readonly clarification?: TurnClarification
  /** The response type agreed with the visitor. */
  readonly contentType: string
  /** The finished turns of this session, oldest first. */
  readonly history: readonly PastTurn[]
  /** Absent where the answer may be kept for others: it must not depend on who asks. */
  readonly sessionId?: string
  /** BCP 47. */
  readonly locale?: string
  /** How many tokens the answer may have at most; the smaller of what the visitor asks and the site allows. */
  readonly maxTokens: number
  /** What the visitor says it is. A claim, unless `principal` is there. */
  readonly requestingAgent?: string
  readonly userIntent?: string
  /** The agent that signed the request (Web Bot Auth): proved, not claimed. */
  readonly verifiedAgent?: string
  /** Who asks, where a credential was verified. */
  readonly principal?: Principal
  /**
   * The same in every attempt at one effect, for whatever makes the effect; there for actions and for what is answered
   * later.
   */
  readonly idempotencyKey?: string
  /** Tells a visitor that waits how far the work is; there beside `idempotencyKey`. */
  readonly reportProgress?: (progress: Progress) => void
  /**
   * Aborts when the visitor is gone or the time for an answer is over; where there is an `idempotencyKey`, when the job was
   * cancelled, has expired or is another process's.
   */
  readonly signal: AbortSignal
}

export interface Progress {
  /** At most 256 characters; the rest is cut. */
  readonly text?: string
  /** How long it will still take. */
  readonly etaSeconds?: number
}

/** The question back that a turn replies to. */
export interface TurnClarification {
  /** What the visitor was asked. */
  readonly question: string
  readonly options: readonly string[]
  /** What it replied: one of the options, or its own words where those were allowed. */
  readonly reply: string
}

/** An earlier turn of the session. */
export interface PastTurn {
  readonly capability: string
  readonly query: string
  readonly answer: string
  readonly sources: readonly Source[]
}

/** A caller whose credential the site has verified. */
export interface Principal {
  /** Stable and unique within the site; sessions and jobs are bound to it. */
  readonly id: string
  readonly scopes?: readonly string[]
}
