const BRAND: unique symbol = Symbol.for('@doorplate/safe-fetch.error')

/**
 * Every way a call can fail. An abort is not among them: it rejects with the signal's own reason.
 *
 * - `invalid_option`, `invalid_url`: the call itself is wrong; nothing was sent.
 * - `blocked`: the policy refuses the target; `reason` says which rule.
 * - `too_many_redirects`, `redirect_loop`, `redirect_refused`, `invalid_redirect`, `body_not_replayable`: redirects.
 * - `timeout` (the deadline over everything), `attempt_timeout`, `connect_timeout`: time limits.
 * - `response_too_large`, `response_headers_too_large`: size limits.
 * - `decode_failed`, `unsupported_content_encoding`: the body's content coding.
 * - `unsupported_transfer_encoding`: a transfer coding other than `chunked`, which nobody asked for.
 * - `truncated_response`, `malformed_response`: what arrived is not a whole HTTP response.
 * - `dns_failed`, `tls_failed`, `network_error`: the transport failed.
 * - `signing_failed`: the request could not be signed, so it was not sent.
 * - `closed`: the fetch was closed.
 */
export type SafeFetchErrorCode =
  | 'invalid_option'
  | 'invalid_url'
  | 'blocked'
  | 'too_many_redirects'
  | 'redirect_loop'
  | 'redirect_refused'
  | 'invalid_redirect'
  | 'body_not_replayable'
  | 'timeout'
  | 'attempt_timeout'
  | 'connect_timeout'
  | 'response_too_large'
  | 'response_headers_too_large'
  | 'decode_failed'
  | 'unsupported_content_encoding'
  | 'unsupported_transfer_encoding'
  | 'truncated_response'
  | 'malformed_response'
  | 'dns_failed'
  | 'tls_failed'
  | 'network_error'
  | 'signing_failed'
  | 'closed'

/** The rule that refused a target (`code: 'blocked'`). */
export type BlockReason =
  'scheme' | 'userinfo' | 'port' | 'host_name' | 'address' | 'downgrade' | 'origin' | 'socket_path'

/** What a `SafeFetchError` says besides its code. */
export interface SafeFetchErrorDetails {
  /** The URL of the hop that failed, without userinfo and fragment; absent where none was under way. */
  readonly url?: string | undefined
  /** The option at fault, for `invalid_option`. */
  readonly option?: string | undefined
  readonly reason?: BlockReason | undefined
  /** The limit that was exceeded, in the unit of its name. */
  readonly limitBytes?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly maxRedirects?: number | undefined
  /**
   * The refused address. Kept out of the message and not enumerable, so that it does not travel to the
   * party that caused the request when an error is serialised.
   */
  readonly blockedAddress?: string | undefined
  readonly cause?: unknown
}

/**
 * Every failure of this package. It is a TypeError, as a failed `fetch` is. Names: `SafeFetchError`;
 * `TimeoutError` for the three time limits, as `AbortSignal.timeout` has it; `BlockedError` for refusals.
 */
export class SafeFetchError extends TypeError {
  readonly code: SafeFetchErrorCode
  declare readonly url?: string
  declare readonly option?: string
  declare readonly reason?: BlockReason
  declare readonly limitBytes?: number
  declare readonly timeoutMs?: number
  declare readonly maxRedirects?: number
  declare readonly blockedAddress?: string

  constructor(code: SafeFetchErrorCode, message: string, details: SafeFetchErrorDetails = {}) {
    const { cause, blockedAddress, ...fields } = details
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true })
    }
    if (blockedAddress !== undefined) Object.defineProperty(this, 'blockedAddress', { value: blockedAddress })
    Object.defineProperty(this, 'name', { value: nameFor(code) })
    Object.defineProperty(this, BRAND, { value: true })
  }
}

/** True for an error of this package, also one made by another installed copy of it. */
export function isSafeFetchError(value: unknown): value is SafeFetchError {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { [BRAND]?: unknown })[BRAND] === true &&
    typeof (value as { code?: unknown }).code === 'string'
  )
}

function nameFor(code: SafeFetchErrorCode): string {
  if (code === 'blocked') return 'BlockedError'
  return code.endsWith('timeout') ? 'TimeoutError' : 'SafeFetchError'
}
