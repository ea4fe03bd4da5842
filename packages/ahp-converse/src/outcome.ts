import type { Source } from '@doorplate/ahp-manifest/messages'
import type { Turn } from './turn.js'

/** Answers one turn. What it throws is the site's fault: the visitor gets `concierge_error` and nothing of the cause. */
export type Answerer = (turn: Turn) => Outcome | Promise<Outcome>

export type Outcome = AnswerOutcome | ClarificationOutcome

export interface AnswerOutcome {
  /** What a reader without any other type is told; never empty. */
  readonly answer: string
  /** Default: the type agreed with the visitor where `payload` is given, else `text/answer`. */
  readonly contentType?: string
  /** Checked against the schema of its type. */
  readonly payload?: Readonly<Record<string, unknown>>
  /** Root-relative or absolute URLs. */
  readonly sources?: readonly Source[]
  readonly suggestedQueries?: readonly string[]
  /** Counted by whoever answered; estimated from the text where absent. */
  readonly tokensUsed?: number
  readonly toolsUsed?: readonly string[]
}

export interface ClarificationOutcome {
  readonly clarification: {
    readonly question: string
    readonly options?: readonly string[]
    /** Whether other replies than the options are taken. Default: true. */
    readonly freeForm?: boolean
  }
}
