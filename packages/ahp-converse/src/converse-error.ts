const BRAND = Symbol.for('@doorplate/ahp-converse/error')

/** Stable codes of this package's errors; the README says of each when it comes. */
export type ConverseErrorCode =
  | 'invalid_option'
  | 'invalid_outcome'
  | 'callback_failed'
  | StateErrorCode
  | TicketErrorCode
  | KnowledgeErrorCode
  | VisitErrorCode

/** What ends a step that the processes of a site take together: Redis is away, or a worker was. */
export type StateErrorCode = 'store_unavailable' | 'work_failed'

/** Why an operator cannot take a step of a question. */
export type TicketErrorCode = 'unknown_ticket' | 'ticket_claimed' | 'ticket_not_claimed'

/** Why documents were not taken in. */
export type KnowledgeErrorCode = 'invalid_document' | 'document_too_large' | 'knowledge_full'

/** What ends a call of the visiting agent, besides what a site answers: that is a reply. */
export type VisitErrorCode =
  | 'no_manifest'
  | 'a2a_agent_card'
  | 'no_capability'
  | 'http_status'
  | 'invalid_response'
  | 'rate_limited'
  | 'refused_by_signal'
  | 'credential_refused'
  | 'unsupported_authentication'
  | 'foreign_poll'
  | 'wait_timeout'
  | 'blocked_url'
  | 'network_error'
  | 'timeout'
  | 'too_many_redirects'
  | 'response_too_large'

/** What a `ConverseError` says besides its code. */
export interface ConverseErrorOptions extends ErrorOptions {
  readonly option?: string
  readonly url?: string
  readonly status?: number
  readonly retryAfterSeconds?: number
}

/** Thrown by every part of this package. No message holds a credential, a header value or what a visitor wrote. */
export class ConverseError extends Error {
  override readonly name = 'ConverseError'
  readonly code: ConverseErrorCode
  /** The option at fault, as it is written in the configuration: `capabilities.search.mode`. */
  readonly option?: string
  /** What was asked for when it failed, without user name, query and fragment. */
  readonly url?: string
  /** The HTTP status that was received. */
  readonly status?: number
  /** Of `rate_limited`: how long the site wants to be left alone from now. */
  readonly retryAfterSeconds?: number

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(
    code: ConverseErrorCode,
    message: string,
    { option, url, status, retryAfterSeconds, ...options }: ConverseErrorOptions = {},
  ) {
    super(message, options)
    this.code = code
    if (option !== undefined) this.option = option
    if (url !== undefined) this.url = url
    if (status !== undefined) this.status = status
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds
  }
}

/** True for a `ConverseError`, whichever installed copy threw it; with `code`, for one of that code only. */
export function isConverseError(value: unknown, code?: ConverseErrorCode): value is ConverseError {
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false
  return code === undefined || (value as Partial<ConverseError>).code === code
}

/** `invalid_option` for a name that is none of these. */
export function unknownOption(option: string, known: readonly string[]): ConverseError {
  return invalidOption(option, `is not an option; there are ${known.join(', ')}`)
}

/** `invalid_option` for an option of this name. */
export function invalidOption(option: string, rule: string): ConverseError {
  return new ConverseError('invalid_option', `${option} ${rule}`, { option })
}
