/**
 * Every way a call of this package can fail. What a site does never is one: it is data in the result.
 *
 * - `invalid_option`: an option is misspelt, missing or out of range; `option` names it. Nothing was sent.
 * - `invalid_url`: the URL to start from is no http or https URL. Nothing was sent.
 * - `page_unreachable`: `readPage` could not fetch the page itself; `cause` says why.
 */
export type AgentDiscoveryErrorCode = 'invalid_option' | 'invalid_url' | 'page_unreachable'

/** What an `AgentDiscoveryError` says besides its code. */
export interface AgentDiscoveryErrorDetails {
  /** The option at fault, for `invalid_option`. */
  readonly option?: string
  readonly cause?: unknown
}

const BRAND: unique symbol = Symbol.for('@doorplate/agent-discovery/error')

/** A call that cannot be carried out; tell them apart by `code`. An abort rejects with the signal's reason instead. */
export class AgentDiscoveryError extends Error {
  override readonly name = 'AgentDiscoveryError'
  readonly code: AgentDiscoveryErrorCode
  declare readonly option?: string

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(code: AgentDiscoveryErrorCode, message: string, details: AgentDiscoveryErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    if (details.option !== undefined) this.option = details.option
  }
}

/** True for errors of this package, whichever installed copy threw them. */
export function isAgentDiscoveryError(value: unknown): value is AgentDiscoveryError {
  return typeof value === 'object' && value !== null && BRAND in value
}
