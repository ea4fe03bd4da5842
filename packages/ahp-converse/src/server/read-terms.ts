import type { Principal } from '../turn.js'
import type { Callbacks } from './callbacks/callbacks.js'
import type { AskCall } from './converse-call.js'
import type { Question } from './read-question.js'
import { invalidRequest, Refusal } from './refusal.js'
import { type Input, readInput } from './schema/read-input.js'

/** What a request says besides its question. */
export interface Terms {
  /** Checked, where the capability has a schema for it. */
  readonly input: Input | undefined
  /** Of what is answered as a job, like the next. */
  readonly idempotencyKey: string | undefined
  /** Where the result may be posted to. */
  readonly callbackUrl: string | undefined
}

const NO_TERMS: Terms = { input: undefined, idempotencyKey: undefined, callbackUrl: undefined }

/** A string of RFC 9651 or its bare content, of 1 to 255 visible characters. */
const KEY = /^"([\x21\x23-\x5b\x5d-\x7e]{1,255})"$|^([\x21\x23-\x5b\x5d-\x7e]{1,255})$/

/** Reads what a capability asks for besides the question, and refuses what it cannot keep to. */
export async function readTerms(
  { capability, request }: Question,
  principal: Principal | undefined,
  call: AskCall,
  callbacks: Callbacks | undefined,
): Promise<Terms | Refusal> {
  const { inputSchema, requireIntent, job } = capability
  const { user_intent: intent, callback_url: url } = request.context
  if (requireIntent && (intent ?? '').trim() === '')
    return invalidRequest('context.user_intent: this capability asks what it is for.')
  // The reply to a question back is no new input.
  const input =
    inputSchema === undefined || request.clarification !== undefined
      ? request.input
      : await readInput(inputSchema, request)
  if (input instanceof Refusal) return input
  if (job === undefined) return input === undefined ? NO_TERMS : { ...NO_TERMS, input }
  const { idempotencyKey: sent } = call
  const key = sent === undefined ? undefined : KEY.exec(sent.trim())
  if (key === null)
    return invalidRequest('Idempotency-Key: must be a string of 1 to 255 visible characters, without spaces.')
  if (url !== undefined) {
    if (callbacks === undefined)
      return invalidRequest('context.callback_url: this site posts no results. Poll for them.')
    const refused = await callbacks.refuse(url, principal, call.signal)
    if (refused !== undefined) return refused
  }
  return { input, idempotencyKey: key?.[1] ?? key?.[2], callbackUrl: url }
}
