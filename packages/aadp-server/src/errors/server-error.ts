const BRAND = Symbol.for('@doorplate/aadp-server/server-error')
const ERROR_CODE_GRAMMAR = /^[a-z][a-z0-9_]*$/
const CHALLENGE_GRAMMAR = /^[\x20-\x7e]+$/

/** Codes this package answers with; an application may throw an `AadpServerError` with any other code. */
export type AadpServerErrorCode =
  | 'not_found'
  | 'unsupported_type'
  | 'invalid_request'
  | 'method_not_allowed'
  | 'unauthorized'
  | 'forbidden'
  | 'rate_limited'
  | 'upstream_unavailable'
  | 'upstream_timeout'

/** What the requester is told besides the code. */
export interface AadpServerErrorOptions extends ErrorOptions {
  /** Seconds for `Retry-After`, a whole number of 0 or more. */
  readonly retryAfterSeconds?: number
  /** Value of `WWW-Authenticate` (RFC 9110 section 11.6.1), printable ASCII. */
  readonly wwwAuthenticate?: string
}

/**
 * A refusal that the requester is told about: thrown by `list`, `get` or `serialize`, it becomes the error
 * envelope with this status, code and message. Its `cause` is never published.
 */
export class AadpServerError extends Error {
  override readonly name = 'AadpServerError'
  readonly code: string
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly wwwAuthenticate: string | undefined

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  /** Throws a `RangeError` when the code, status, message or a header value cannot be sent. */
  constructor(code: string, status: number, message: string, options: AadpServerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    const { retryAfterSeconds, wwwAuthenticate } = options
    if (typeof code !== 'string' || !ERROR_CODE_GRAMMAR.test(code))
      throw new RangeError('code must be lower_snake_case')
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError('status must be an integer from 400 to 599')
    }
    if (typeof message !== 'string' || message === '') throw new RangeError('message must not be empty')
    if (
      retryAfterSeconds !== undefined &&
      !(Number.isSafeInteger(retryAfterSeconds) && retryAfterSeconds >= 0)
    ) {
      throw new RangeError('retryAfterSeconds must be a whole number of 0 or more')
    }
    if (wwwAuthenticate !== undefined && !CHALLENGE_GRAMMAR.test(wwwAuthenticate)) {
      throw new RangeError('wwwAuthenticate must be printable ASCII')
    }
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.wwwAuthenticate = wwwAuthenticate
  }
}

/** True for an `AadpServerError`, whichever installed copy made it. */
export function isAadpServerError(value: unknown): value is AadpServerError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** 404 `not_found`. */
export function notFound(message = 'Not found.', options?: AadpServerErrorOptions): AadpServerError {
  return new AadpServerError('not_found', 404, message, options)
}

/** 404 `unsupported_type`. */
export function unsupportedType(
  message = 'This type is not published.',
  options?: AadpServerErrorOptions,
): AadpServerError {
  return new AadpServerError('unsupported_type', 404, message, options)
}

/** 400 `invalid_request`. */
export function invalidRequest(
  message = 'The request is not valid.',
  options?: AadpServerErrorOptions,
): AadpServerError {
  return new AadpServerError('invalid_request', 400, message, options)
}

/** 401 `unauthorized`; HTTP wants a challenge with it, `Bearer` unless another is given. */
export function unauthorized(
  message = 'Authentication is required.',
  options?: AadpServerErrorOptions,
): AadpServerError {
  return new AadpServerError('unauthorized', 401, message, {
    ...options,
    wwwAuthenticate: options?.wwwAuthenticate ?? 'Bearer',
  })
}

/** 403 `forbidden`. */
export function forbidden(
  message = 'Access is not allowed.',
  options?: AadpServerErrorOptions,
): AadpServerError {
  return new AadpServerError('forbidden', 403, message, options)
}

/** 429 `rate_limited`. */
export function rateLimited(
  message = 'Too many requests.',
  options?: AadpServerErrorOptions,
): AadpServerError {
  return new AadpServerError('rate_limited', 429, message, options)
}

/** 502 `upstream_unavailable`. */
export function upstreamUnavailable(
  message = 'The content could not be read.',
  options?: AadpServerErrorOptions,
): AadpServerError {
  return new AadpServerError('upstream_unavailable', 502, message, options)
}
