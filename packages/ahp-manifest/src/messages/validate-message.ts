import { ownMember } from '../own-member.js'
import { resultOf, type ValidationIssue, type ValidationResult } from '../validation-issue.js'
import { messageIssues } from './message-issues.js'
import { payloadKind } from './payload-kind.js'

/** Judges a request as an agent should send it. A server reads requests with `parseRequest`, which asks for less. */
export function validateRequest(data: unknown): ValidationResult {
  return resultOf(messageIssues('request', data))
}

/** Judges a response to a request or a poll as a site should send it, with the payload of a registered type. */
export function validateResponse(data: unknown): ValidationResult {
  const issues = messageIssues('response', data)
  if (issues.length > 0) return resultOf(issues)
  const answer = ownMember(data, 'response')
  const contentType = ownMember(answer, 'content_type')
  if (ownMember(data, 'status') !== 'success' || typeof contentType !== 'string') return resultOf([])
  return resultOf(payloadIssues(contentType, ownMember(answer, 'payload'), '/response/payload'))
}

/**
 * Judges the payload of a response type, e.g. `validatePayload('application/feed', payload)`. The payloads of
 * `text/answer`, of extension types and of unknown ones have no schema: any is valid, and so is none.
 */
export function validatePayload(contentType: string, payload: unknown): ValidationResult {
  return resultOf(payloadIssues(contentType, payload, ''))
}

function payloadIssues(contentType: string, payload: unknown, at: string): ValidationIssue[] {
  const kind = payloadKind(contentType)
  if (kind === undefined) return []
  return messageIssues(kind, payload).map((issue) => ({ ...issue, path: at + issue.path }))
}
