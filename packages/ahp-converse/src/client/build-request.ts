import { AHP_VERSION, type Capability } from '@doorplate/ahp-manifest'
import { validateRequest, type ConverseRequest, type RequestContext } from '@doorplate/ahp-manifest/messages'
import { invalidOption } from '../converse-error.js'
import type { QuestionOptions } from './reply.js'

export interface Question {
  readonly capability: Capability
  readonly query: string
  readonly options: QuestionOptions
  /** The reply to the concierge's question. */
  readonly clarification?: string
}

/** The wire request of a question. Throws `invalid_option` for what the protocol does not allow. */
export function buildRequest(
  { capability, query, options, clarification }: Question,
  requestingAgent: string,
  sessionId: string | undefined,
): ConverseRequest {
  const request: ConverseRequest = {
    ahp: AHP_VERSION,
    capability: capability.name,
    query: options.input === undefined ? query : inputText(options.input),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(clarification === undefined ? {} : { clarification }),
    context: contextOf(capability, query, options, requestingAgent),
  }
  const [issue] = validateRequest(request).issues
  if (issue) throw invalidOption(optionAt(issue.path), `is not allowed: ${issue.message}`)
  return request
}

function optionAt(path: string): string {
  return OPTIONS.get(path.replace(/\/\d+$/, '')) ?? path
}

/** The option behind a place in a request. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['/query', 'query'],
  ['/clarification', 'text'],
  ['/session_id', 'session'],
  ['/context/user_intent', 'intent'],
  ['/context/locale', 'locale'],
  ['/context/max_tokens', 'maxTokens'],
  ['/context/callback_url', 'callback'],
  ['/context/accept_types', 'acceptTypes'],
])

/** A request has no place for structured input: it travels as JSON text. */
function inputText(input: Readonly<Record<string, unknown>>): string {
  if (typeof input !== 'object' || (input as unknown) === null || Array.isArray(input))
    throw invalidOption('input', 'must be an object')
  return JSON.stringify(input)
}

function contextOf(
  { mode }: Capability,
  query: string,
  { acceptTypes, intent, locale, maxTokens, callback }: Question['options'],
  requestingAgent: string,
): RequestContext {
  const declared = intent ?? (mode === 'MODE3' ? beginningOf(query) : undefined)
  return {
    requesting_agent: requestingAgent,
    ...(declared === undefined ? {} : { user_intent: declared }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(acceptTypes === undefined ? {} : { accept_types: [...acceptTypes] }),
    ...(callback === undefined ? {} : { callback_url: callback.url }),
    ...(locale === undefined ? {} : { locale }),
  }
}

const MAX_INTENT_LENGTH = 256

function beginningOf(query: string): string {
  return Array.from(query).slice(0, MAX_INTENT_LENGTH).join('')
}
