import type { ConverseResponse } from '../generated/messages/response.js'
import { isObject, ownMember } from '../own-member.js'
import { repair } from '../repair.js'
import type { ValidationIssue } from '../validation-issue.js'
import { AhpMessageError } from './ahp-message-error.js'
import { messageIssues } from './message-issues.js'
import { payloadKind } from './payload-kind.js'

/** A response as an agent can use it. */
export interface ParsedResponse {
  readonly response: ConverseResponse
  /** What a site should improve; a payload that breaks the schema of its type is among it, and is kept. */
  readonly warnings: readonly ValidationIssue[]
}

/**
 * Reads the parsed body of a response or of a poll (specification, "Reading a response"): what is wrong and not needed is
 * left out. An answer may be the empty string where a site sent only a payload. Everything in it was written by the site
 * and stays data.
 *
 * @throws {AhpMessageError} `invalid_response`
 */
export function parseResponse(data: unknown): ParsedResponse {
  const { document, issues } = repair(withKnownForms(data), {
    issuesOf: (value) => messageIssues('response', value),
    fixFor: () => undefined,
    isTolerated: isMissingAnswer,
  })
  if (document === undefined) throw new AhpMessageError('invalid_response', issues)
  const warnings = issues.map((issue): ValidationIssue => ({ ...issue, level: 'warning' }))
  const response = withAnswer(document as ConverseResponse)
  return { response, warnings: [...warnings, ...payloadWarnings(response)] }
}

function isMissingAnswer({ code, path }: ValidationIssue): boolean {
  return path === '/response/answer' && (code === 'required' || code === 'minLength')
}

/** The forms in which some sites write what the specification writes otherwise. */
function withKnownForms(data: unknown): unknown {
  if (!isObject(data)) return data
  switch (ownMember(data, 'status')) {
    case 'active':
      return { ...data, status: 'pending' }
    case 'clarification_needed':
      return { ...data, clarification: clarificationOf(data) }
    case 'error':
      return { ...data, code: errorCodeOf(data), message: ownMember(data, 'message') ?? '' }
    default:
      return data
  }
}

function clarificationOf(data: object): unknown {
  const response = ownMember(data, 'response')
  const places = [
    ownMember(data, 'clarification'),
    ownMember(response, 'clarification'),
    ownMember(response, 'question') === undefined ? undefined : response,
    ownMember(data, 'question') === undefined ? undefined : data,
  ]
  const found = places.find((place) => place !== undefined)
  if (typeof found === 'string') {
    const options = ownMember(data, 'options')
    return { question: found, ...(options === undefined ? {} : { options }) }
  }
  if (!isObject(found)) return found
  const names = ['question', 'options', 'free_form'].filter((name) => Object.hasOwn(found, name))
  return Object.fromEntries(names.map((name) => [name, found[name]]))
}

function errorCodeOf(data: object): unknown {
  const code = ownMember(data, 'code')
  const isKnown = messageIssues('response', { status: 'error', code, message: '' }).length === 0
  return isKnown ? code : 'concierge_error'
}

function withAnswer(response: ConverseResponse): ConverseResponse {
  if (response.status !== 'success' || Object.hasOwn(response.response, 'answer')) return response
  return { ...response, response: { ...response.response, answer: '' } }
}

function payloadWarnings(response: ConverseResponse): ValidationIssue[] {
  if (response.status !== 'success') return []
  const { content_type: contentType = 'text/answer', payload } = response.response
  const kind = payloadKind(contentType)
  if (kind === undefined) return []
  return messageIssues(kind, payload).map((issue) => ({
    ...issue,
    level: 'warning',
    path: `/response/payload${issue.path}`,
  }))
}
