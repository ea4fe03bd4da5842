import type { IncomingHttpHeaders } from 'node:http'
import type { Draft } from './draft.js'

/** A request as the site sees it. */
export interface SiteRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body, if it is an object. */
  readonly body: Draft
}

/** An answer that a fault may change before it is sent. Objects are sent as JSON. */
export interface Reply {
  status: number
  headers: Record<string, string | undefined>
  body: unknown
}

export function refusal(
  status: number,
  code: string,
  more: Draft = {},
  headers: Reply['headers'] = {},
): Reply {
  return { status, headers, body: { status: 'error', code, message: `It is ${code}.`, ...more } }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function objectIn(text: string): Draft {
  const value = parsed(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Draft) : {}
}
