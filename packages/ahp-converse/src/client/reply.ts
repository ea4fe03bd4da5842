import type { ValidationIssue } from '@doorplate/ahp-manifest'
import type { ErrorCode, Payloads, ResponseMeta, Source } from '@doorplate/ahp-manifest/messages'
import type { CallbackReceiver } from './callback-receiver.js'
import type { StatedSignals } from './content-use.js'
import type { RateLimitState } from './read-response.js'
import type { UntrustedText } from './untrusted-text.js'

/** What became of a question, by `status`. Every text in it was written by the site. */
export type Reply = AnswerReply | ClarificationReply | AcceptedReply | ErrorReply

/** What became of accepted work. */
export type FinalReply = Exclude<Reply, AcceptedReply> | FailedReply | ExpiredReply

interface ReplyToTurn {
  /** The conversation: ask on with `session.ask`. */
  readonly session: Session
  /** What the site should improve. */
  readonly warnings: readonly ValidationIssue[]
  /** From the header fields of the response; undefined where they are absent. */
  readonly rateLimit: RateLimitState | undefined
}

/** The answer. `contentType` tells the type of `payload`; a payload that is not of its type is left out, with a warning. */
export type AnswerReply = TextAnswer | RegisteredAnswer | ExtensionAnswer

/** What every answer has, whatever its type. */
export interface AnswerInWords extends ReplyToTurn {
  readonly status: 'success'
  /** May be empty where a site sent nothing but a payload. */
  readonly answer: UntrustedText
  readonly sources: readonly CitedSource[]
  readonly suggestedQueries: readonly UntrustedText[]
  /** Of the site and of this response; what either forbids is forbidden. */
  readonly contentSignals: StatedSignals
  readonly meta: ResponseMeta
}

/** An answer in words alone. */
export interface TextAnswer extends AnswerInWords {
  readonly contentType: 'text/answer'
  readonly payload: undefined
}

/** An answer of a registered type, with the payload of that type. */
export type RegisteredAnswer = {
  [Type in keyof Payloads]: AnswerInWords & { readonly contentType: Type; readonly payload: Payloads[Type] }
}[keyof Payloads]

/** An answer of a type that is not registered. */
export interface ExtensionAnswer extends AnswerInWords {
  readonly contentType: `x-${string}`
  readonly payload: Readonly<Record<string, unknown>> | undefined
}

/** A source that the site names for its answer. */
export interface CitedSource {
  readonly title: UntrustedText | undefined
  /** Absolute, http or https. Sources that lead elsewhere are left out. */
  readonly url: string
  readonly relevance: Source['relevance']
}

/** A question back. */
export interface ClarificationReply extends ReplyToTurn {
  readonly status: 'clarification_needed'
  readonly question: UntrustedText
  /** Empty where any text will do. */
  readonly options: readonly UntrustedText[]
  /** Whether other texts than the options will do. */
  readonly freeForm: boolean
  /** Sends the answer, 1 to 1,024 characters, in the same session. */
  reply(text: string, options?: ReplyOptions): Promise<Reply>
}

/** Options of `reply`. */
export interface ReplyOptions {
  readonly signal?: AbortSignal
}

/** The answer will come later. */
export interface AcceptedReply extends ReplyToTurn {
  readonly status: 'accepted'
  readonly jobId: string
  readonly etaSeconds: number | undefined
  /** To be kept as JSON, and given to `job` of the site when the work is to be collected later. */
  readonly handle: JobHandle
  /**
   * Polls until the work has ended, or until the callback receiver of the question has the result.
   *
   * @throws {ConverseError} `wait_timeout` (the work may go on: wait again), `foreign_poll`, and what a request can end with
   */
  wait(options?: WaitOptions): Promise<FinalReply>
}

/** Accepted work as data, without any secret but its id: whoever has that may collect work that was asked for anonymously. */
export interface JobHandle {
  readonly jobId: string
  /** Where its state is told, as the site said. Default: where the draft says (AHP 0.1, section 9.1). */
  readonly pollUrl?: string
  /** The conversation in which it was asked for, if the site has named it. */
  readonly sessionId?: string
  /** What was asked, and how; without it what is asked back cannot be answered. */
  readonly question?: AskedQuestion
}

/** A question as data. */
export interface AskedQuestion extends Pick<
  QuestionOptions,
  'acceptTypes' | 'input' | 'intent' | 'locale' | 'maxTokens'
> {
  readonly capability: string
  readonly query: string
}

/** Options of `job`. */
export interface JobOptions {
  /** Gets the result; its URL was sent with the question. Default: none. */
  readonly callback?: CallbackReceiver
}

/** Options of `wait`. */
export interface WaitOptions {
  /** How long to wait in all, milliseconds; the last poll may take as long as one request more. Default 600,000. */
  readonly timeoutMs?: number
  /** The shortest time between two polls, milliseconds. Default 1,000. */
  readonly minPollMs?: number
  /** The longest time between two polls, milliseconds. Default 30,000. */
  readonly maxPollMs?: number
  /** Polls at most. Default 500. */
  readonly maxPolls?: number
  /** Called after each poll that finds the work not ended. */
  readonly onPending?: (state: PendingState) => void
  readonly signal?: AbortSignal
}

/** What a site says of work that has not ended. */
export interface PendingState {
  readonly progress: UntrustedText | undefined
  readonly etaSeconds: number | undefined
}

/** The work failed; there will be no answer. */
export interface FailedReply extends ReplyToTurn {
  readonly status: 'failed'
  readonly message: UntrustedText
}

/** The answer is no longer kept. */
export interface ExpiredReply extends ReplyToTurn {
  readonly status: 'expired'
  readonly message: UntrustedText
}

/** The site refused, or something went wrong there. */
export interface ErrorReply extends ReplyToTurn {
  readonly status: 'error'
  readonly code: ErrorCode
  readonly message: UntrustedText
  readonly httpStatus: number
  /** With `unknown_capability`. */
  readonly availableCapabilities: readonly string[]
  /** With `unsupported_type`: ask again and accept one of these. */
  readonly availableTypes: readonly string[]
  /** With `rate_limited`: `session` and `session_tokens` mean that only a new session will be answered. */
  readonly scope: 'ip' | 'agent' | 'session' | 'session_tokens' | undefined
}

/** One conversation with a site. Its turns go one after the other, also when they are asked for at the same time. */
export interface Session {
  /** By which the site knows it; undefined before the first answer. Whoever has it may go on with an anonymous conversation. */
  readonly id: string | undefined
  /** Asks in this conversation; otherwise as `ask` of the site. */
  ask(capability: string | undefined, query: string, options?: QuestionOptions): Promise<Reply>
}

/** Options of a question. */
export interface AskOptions extends QuestionOptions {
  /** The conversation to go on with. Default: a new one. */
  readonly session?: Session
}

/** Options of a question in a conversation. */
export interface QuestionOptions {
  /** The types the agent can handle, the preferred one first. Default: what the site prefers to say in words. */
  readonly acceptTypes?: readonly string[]
  /** Structured input for a capability of MODE3, sent as the text of the query. Default: none. */
  readonly input?: Readonly<Record<string, unknown>>
  /** What the user wants to achieve, at most 256 characters. Default for MODE3: the beginning of the query. */
  readonly intent?: string
  /** The language wanted, as a BCP 47 tag. Default: none is named. */
  readonly locale?: string
  /** The longest answer wanted in tokens, 1 to 32,768. Default: as long as the site answers. */
  readonly maxTokens?: number
  /** Gets the result of accepted work; its URL is sent with the question. Default: none. */
  readonly callback?: CallbackReceiver
  /** Sent as `Idempotency-Key` with actions, so that a question that is sent twice acts once. Default: a random one. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}
