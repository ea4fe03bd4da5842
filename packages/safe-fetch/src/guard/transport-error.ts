import { displayUrl } from './check-url.js'
import { isSafeFetchError, SafeFetchError } from '../errors.js'
import type { SafeFetchErrorCode } from '../errors.js'
import type { Policy } from '../options/options.js'
import { withoutAddresses } from './without-addresses.js'

const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_|CRL_|EPROTO)/

const MESSAGES = {
  closed: 'The fetch was closed.',
  connect_timeout: 'No connection within the connect timeout.',
  malformed_response: 'The response is not valid HTTP.',
  network_error: 'The connection failed.',
  response_headers_too_large: 'The response headers exceed the limit.',
  tls_failed: 'The TLS handshake failed.',
  truncated_response: 'The response ended before its body was complete.',
} as const satisfies Partial<Record<SafeFetchErrorCode, string>>

/** Our error for what undici or the guard reported; one connect error may serve many calls, so each gets its own. */
export function transportError(
  cause: unknown,
  url: URL,
  headersReceived: boolean,
  policy: Policy,
): SafeFetchError {
  if (isGuardError(cause)) {
    const { reason, blockedAddress } = cause
    return new SafeFetchError(cause.code, cause.message, {
      url: displayUrl(url),
      reason,
      blockedAddress,
      cause: cause.cause,
    })
  }
  const code = classify(cause, headersReceived)
  return new SafeFetchError(code, MESSAGES[code], {
    url: displayUrl(url),
    cause: withoutAddresses(cause),
    ...(code === 'response_headers_too_large' ? { limitBytes: policy.maxResponseHeaderBytes } : {}),
    ...(code === 'connect_timeout' ? { timeoutMs: policy.connectTimeoutMs } : {}),
  })
}

/** A failure of the guard itself; any other error of ours comes from the body of the request, say another response. */
function isGuardError(cause: unknown): cause is SafeFetchError {
  return isSafeFetchError(cause) && (cause.code === 'blocked' || cause.code === 'dns_failed')
}

function classify(error: unknown, headersReceived: boolean): keyof typeof MESSAGES {
  const { name, code, message } = describe(error)
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'response_headers_too_large'
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
      return 'connect_timeout'
    // What undici takes for granted of a response, such as a status of 100 or more.
    case 'ERR_ASSERTION':
      return 'malformed_response'
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return 'closed'
  }
  if (message === 'bad response' || message === 'bad upgrade') return 'malformed_response'
  const isParseError = name === 'HTTPParserError' && !message.includes('EOF')
  if (headersReceived) return isParseError ? 'malformed_response' : 'truncated_response'
  // Undici reports a length that is no number as a mismatch, before the headers are through.
  if (isParseError || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'malformed_response'
  return TLS_CODE.test(code) ? 'tls_failed' : 'network_error'
}

function describe(error: unknown): {
  readonly name: string
  readonly code: string
  readonly message: string
} {
  if (!(error instanceof Error)) return { name: '', code: '', message: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { name: error.name, code, message: error.message }
}
