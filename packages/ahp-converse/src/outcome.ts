import type { Source } from '@doorplate/ahp-manifest/messages'
import type { Turn } from './turn.js'

/** Answers one turn. What it throws is the site's fault: the visitor gets `concierge_error` and nothing of the cause. */
export type Answerer = (turn: Turn) => Outcome | Promise<Outcome>

/** What an answerer gives: an answer, a question back, or the question itself for people. */
export type Outcome = AnswerOutcome | ClarificationOutcome | EscalationOutcome

/** An answer, as an answerer gives it. */
export interface AnswerOutcome {
  /** What a reader without any other type is told; never empty. */
  readonly answer: string
  /** Default: the type agreed with the visitor where `payload` is given, else `text/answer`. */
  readonly contentType?: string
  /** Checked against the schema of its type. */
  readonly payload?: Readonly<Record<string, unknown>>
  /**
   * Structured output, checked against the output schema of the capability. Makes the payload of `application/data`,
   * `application/action-result` and vendor types where none is given.
   */
  readonly output?: Readonly<Record<string, unknown>>
  /** Root-relative or absolute URLs. */
  readonly sources?: readonly Source[]
  readonly suggestedQueries?: readonly string[]
  /** Counted by whoever answered; estimated from the text where absent. */
  readonly tokensUsed?: number
  readonly toolsUsed?: readonly string[]
}

/** A question back. */
export interface ClarificationOutcome {
  readonly clarification: {
    readonly question: string
    readonly options?: readonly string[]
    /** Whether other replies than the options are taken. Default: true. */
    readonly freeForm?: boolean
  }
}

/** Leaves the answer to a person. Only for what may be answered later: actions, `async`, or with `acceptAfterMs`. */
export interface EscalationOutcome {
  readonly escalation: {
    /** What the person should know, besides the question; at most 10,000 characters. Never sent to the visitor. */
    readonly note?: string
    /** When the visitor may expect the answer. */
    readonly etaSeconds?: number
  }
}
