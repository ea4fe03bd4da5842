import type { CoreRequest } from '../server/core-message.js'
import type { Caller } from '../server/identify-caller.js'

/** One HTTP request on its way through the MCP server. */
export interface Exchange {
  readonly request: CoreRequest
  readonly caller: Caller
  /** What the concierge said when it was asked; absent while nothing has been counted. */
  reply?: { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** What was thrown on the way. */
  failure?: { readonly error: unknown }
}
