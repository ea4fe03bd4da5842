import type { ConverseRequest, RequestContext } from '../generated/messages/request.js'
import { isObject, ownMember } from '../own-member.js'
import type { ValidationIssue } from '../validation-issue.js'
import { AhpMessageError } from './ahp-message-error.js'
import { messageIssues } from './message-issues.js'

/** A request as a concierge uses it. */
export interface ReceivedRequest {
  /** The version the agent says it speaks; any string. */
  readonly ahp?: string
  /** Any string: whether there is such a capability is for the concierge to say. */
  readonly capability: string
  /** 1 to 4,096 characters. */
  readonly query: string
  readonly session_id?: string
  readonly clarification?: string
  /** `accept_types` in lower case; they may have wildcards, and the list is never empty. */
  readonly context: Readonly<RequestContext>
  /** Structured input, from `input`, `arguments` or a query that is the text of a JSON object. */
  readonly input?: Readonly<Record<string, unknown>>
  /** A credential in the body. Header fields come first; keep it away from records and models. */
  readonly auth?: string
}

const REQUIRED = ['capability', 'query'] as const
const MEMBERS = [...REQUIRED, 'ahp', 'session_id', 'clarification', 'context'] as const
const CONTEXT = [
  'requesting_agent',
  'user_intent',
  'max_tokens',
  'accept_types',
  'callback_url',
  'locale',
] as const
/** Grammars that only a sender has to keep: a reader compares, and finds no match. */
const ANY_STRING = /^\/(?:ahp|capability|context\/accept_types\/\d+)$/

/**
 * Reads the parsed body of a request (specification, "Reading a request"): members that are not defined are ignored, what
 * is defined must be of its type and within its limits. The result holds nothing but checked members.
 *
 * @throws {AhpMessageError} `missing_field` when the capability or the query is absent or empty, `invalid_request` for
 * any other fault
 */
export function parseRequest(data: unknown): ReceivedRequest {
  if (!isObject(data)) throw new AhpMessageError('invalid_request', messageIssues('request', data))
  const known = pick(data, MEMBERS)
  const context = contextOf(known['context'])
  const candidate = context === undefined ? known : { ...known, context }
  const issues = messageIssues('request', candidate)
  const missing = issues.filter(isMissing(candidate))
  if (missing.length > 0) throw new AhpMessageError('missing_field', missing)
  const faults = issues.filter(isFault)
  if (faults.length > 0) throw new AhpMessageError('invalid_request', faults)
  const request = candidate as unknown as ConverseRequest
  return {
    ...(request as Omit<ConverseRequest, 'session_id' | 'clarification'>),
    context: request.context ?? {},
    ...extras(data, request.query),
  }
}

/** Own members that are there; null is as good as absent. */
function pick(object: object, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of names) {
    const value = ownMember(object, name)
    if (value !== undefined && value !== null) picked[name] = value
  }
  return picked
}

function contextOf(value: unknown): object | undefined {
  if (!isObject(value)) return undefined
  const { accept_types: types, ...context } = pick(value, CONTEXT)
  if (!Array.isArray(types)) return types === undefined ? context : { ...context, accept_types: types }
  if (types.length === 0) return context
  const lower = types.map((type: unknown) => (typeof type === 'string' ? type.toLowerCase() : type))
  return { ...context, accept_types: lower }
}

function isFault({ code, path }: ValidationIssue): boolean {
  const isGrammar = code === 'pattern' || (code === 'maxLength' && path === '/capability')
  return !(isGrammar && ANY_STRING.test(path))
}

function isMissing(candidate: object): (issue: ValidationIssue) => boolean {
  return ({ code, path }) =>
    code === 'required' || REQUIRED.some((name) => path === `/${name}` && ownMember(candidate, name) === '')
}

function extras(data: object, query: string): Pick<ReceivedRequest, 'input' | 'auth'> {
  const input = [ownMember(data, 'input'), ownMember(data, 'arguments'), objectIn(query)].find(isObject)
  const auth = ownMember(data, 'auth')
  return {
    ...(input === undefined ? {} : { input }),
    ...(typeof auth === 'string' && auth !== '' ? { auth } : {}),
  }
}

function objectIn(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
