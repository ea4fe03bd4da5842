import type { Caller } from './identify-caller.js'

/** A request to the concierge, from whatever way in. */
export interface ConverseCall {
  /** The parsed body, unchecked. */
  readonly request: unknown
  /** Whose request it is: limits, sessions and rights are those of this caller. */
  readonly caller: Caller
  /** The field `Idempotency-Key`: requests of one caller with the same key have one effect and one answer. */
  readonly idempotencyKey?: string | undefined
  /** Aborts when the caller is gone. */
  readonly signal?: AbortSignal | undefined
}

/** What is known of a request besides what it asks. */
export type AskCall = Omit<ConverseCall, 'request'>
