import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { mergedFields } from './merged-fields.js'
import { Refusal } from './refusal.js'

/** What every way in carries back in its own form. */
export interface ConverseReply {
  /** The HTTP status that belongs to it. */
  readonly status: number
  /** What is to be said of limits and credentials, by lower-case name of a field. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ConverseResponse
}

export function replyOf(
  body: ConverseResponse | Refusal,
  headers: Readonly<Record<string, string>> = {},
): ConverseReply {
  if (!(body instanceof Refusal)) return { status: 200, headers, body }
  return { status: body.status, headers: mergedFields(headers, body.headers), body: body.body }
}
