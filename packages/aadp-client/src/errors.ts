import type { Kind, ValidationIssue, SemanticIssue } from '@doorplate/aadp-schemas'

/** Why reading failed. New codes may be added in a minor version. */
export type AadpClientErrorCode =
  | 'invalid_option'
  | 'blocked_url'
  | 'network_error'
  | 'timeout'
  | 'too_many_redirects'
  | 'response_too_large'
  | 'http_status'
  | 'invalid_content_type'
  | 'malformed_json'
  | 'not_aadp'
  | 'unsupported_version'
  | 'schema_invalid'
  | 'semantics_invalid'
  | 'checksum_mismatch'
  | 'integrity_mismatch'
  | 'invalid_cursor'
  | 'cursor_cycle'
  | 'document_loop'
  | 'budget_exceeded'
  | 'disallowed_by_robots'
  | 'credential_refused'
  | 'sync_in_progress'

const BRAND = Symbol.for('@doorplate/aadp-client/error')

/** The base of every error of this package; tell them apart by `code`. An abort rejects with the signal's reason instead. */
export class AadpClientError extends Error {
  readonly code: AadpClientErrorCode
  /** The document concerned, without any credential. */
  readonly url: string | undefined

  constructor(code: AadpClientErrorCode, message: string, details: { url?: string; cause?: unknown } = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.name = 'AadpClientError'
    this.code = code
    this.url = details.url
    Object.defineProperty(this, BRAND, { value: true })
  }
}

/** Whether a value is an error of this package, of whichever installed copy; with `code`, of that code only. */
export function isAadpClientError(value: unknown, code?: AadpClientErrorCode): value is AadpClientError {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, BRAND)) return false
  return code === undefined || (value as AadpClientError).code === code
}

/** An option was refused before any request. */
export class InvalidOptionError extends AadpClientError {
  readonly option: string

  constructor(option: string, expected: string, message = `Option ${option} must be ${expected}`) {
    super('invalid_option', message)
    this.name = 'InvalidOptionError'
    this.option = option
  }

  /** For an option that does not exist, with the one that may be meant. */
  static unknown(option: string, meant: string | undefined): InvalidOptionError {
    const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
    const shown = JSON.stringify(option.slice(0, 60)).slice(1, -1)
    return new InvalidOptionError(option, 'absent', `There is no option ${shown}${hint}`)
  }
}

/** Codes of requests that got no response. */
export type TransportErrorCode =
  'blocked_url' | 'network_error' | 'timeout' | 'too_many_redirects' | 'response_too_large'

/** No response arrived: the transport refused, failed or ran into a limit. */
export class AadpTransportError extends AadpClientError {
  declare readonly code: TransportErrorCode

  constructor(code: TransportErrorCode, url: string, details: { cause?: unknown } = {}) {
    super(code, `${TRANSPORT_MESSAGES[code]}: ${url}`, { url, ...details })
    this.name = 'AadpTransportError'
  }
}

const TRANSPORT_MESSAGES: Readonly<Record<TransportErrorCode, string>> = {
  blocked_url: 'The URL may not be requested',
  network_error: 'The request failed',
  timeout: 'The request ran out of time',
  too_many_redirects: 'Too many redirects',
  response_too_large: 'The response is too large',
}

/** What an AADP error envelope said (specification, error documents). Text of the site: data, never instructions. */
export interface AadpErrorEnvelope {
  readonly code: string
  readonly message: string
  readonly request_id: string
}

/** The response was not a success. `envelope` is set when the body was a valid AADP error document. */
export class AadpRequestError extends AadpClientError {
  readonly status: number
  readonly envelope: AadpErrorEnvelope | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    url: string,
    status: number,
    details: { envelope?: AadpErrorEnvelope | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    super('http_status', `Status ${status} from ${url}`, { url })
    this.name = 'AadpRequestError'
    this.status = status
    this.envelope = details.envelope
    this.retryAfterMs = details.retryAfterMs
  }
}

/** The body is JSON, but does not declare the version that was asked for. `version` is what it declares. */
export class UnsupportedAadpVersionError extends AadpClientError {
  readonly version: string

  constructor(url: string, version: string) {
    super(
      'unsupported_version',
      `AADP version ${JSON.stringify(version.slice(0, 32))} is not read here: ${url}`,
      { url },
    )
    this.name = 'UnsupportedAadpVersionError'
    this.version = version
  }
}

/** The document does not have the shape of its kind. */
export class AadpSchemaValidationError extends AadpClientError {
  readonly kind: Kind
  readonly issues: readonly ValidationIssue[]

  constructor(url: string, kind: Kind, issues: readonly ValidationIssue[]) {
    const [first] = issues
    super('schema_invalid', `Not a valid ${kind}${first ? ` (${first.message})` : ''}: ${url}`, {
      url,
    })
    this.name = 'AadpSchemaValidationError'
    this.kind = kind
    this.issues = issues
  }
}

/** The manifest breaks a rule that goes beyond its shape. `issues` holds warnings too. */
export class AadpSemanticValidationError extends AadpClientError {
  readonly issues: readonly SemanticIssue[]

  constructor(url: string, issues: readonly SemanticIssue[]) {
    const first = issues.find((issue) => issue.level === 'error')
    super('semantics_invalid', `The manifest is not usable${first ? ` (${first.code})` : ''}: ${url}`, {
      url,
    })
    this.name = 'AadpSemanticValidationError'
    this.issues = issues
  }
}

/** The content does not have the checksum that its own document declares. */
export class AadpChecksumMismatchError extends AadpClientError {
  readonly kind: Kind
  readonly declared: string
  readonly actual: string

  constructor(url: string, kind: Kind, declared: string, actual: string) {
    super('checksum_mismatch', `The ${kind} does not have the checksum it declares: ${url}`, { url })
    this.name = 'AadpChecksumMismatchError'
    this.kind = kind
    this.declared = declared
    this.actual = actual
  }
}

/** Two documents disagree about `field`, or an id lies outside the namespace of its type. */
export class AadpIntegrityMismatchError extends AadpClientError {
  readonly field: 'id' | 'type' | 'checksum' | 'namespace'
  readonly expected: string
  readonly actual: string

  constructor(
    url: string,
    field: 'id' | 'type' | 'checksum' | 'namespace',
    expected: string,
    actual: string,
  ) {
    super('integrity_mismatch', `Expected ${field} ${brief(expected)}, found ${brief(actual)}: ${url}`, {
      url,
    })
    this.name = 'AadpIntegrityMismatchError'
    this.field = field
    this.expected = expected
    this.actual = actual
  }
}

function brief(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}...` : value)
}

/** The option whose limit was reached. */
export type BudgetLimit =
  'maxPages' | 'maxEntities' | 'maxRequests' | 'maxTotalBytes' | 'maxSitemaps' | 'deadlineMs'

/** A limit of the run was reached; `limit` names the option. */
export class AadpDiscoveryBudgetExceededError extends AadpClientError {
  readonly limit: BudgetLimit
  readonly allowed: number

  constructor(limit: BudgetLimit, allowed: number) {
    super('budget_exceeded', `The budget ${limit} of ${allowed} is used up`)
    this.name = 'AadpDiscoveryBudgetExceededError'
    this.limit = limit
    this.allowed = allowed
  }
}
