import type { ValidationIssue } from '../validation-issue.js'

/**
 * Stable codes of the errors about messages. `missing_field` and `invalid_request` are the codes with which a site
 * refuses such a request; `invalid_response` is a response that an agent cannot use.
 */
export type AhpMessageErrorCode = 'missing_field' | 'invalid_request' | 'invalid_response'

const BRAND = Symbol.for('@doorplate/ahp-manifest/message-error')

/** A request or response that cannot be read. The message names places and rules, never what the document holds. */
export class AhpMessageError extends Error {
  override readonly name = 'AhpMessageError'
  readonly code: AhpMessageErrorCode
  readonly issues: readonly ValidationIssue[]

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(code: AhpMessageErrorCode, issues: readonly ValidationIssue[]) {
    const [first] = issues
    super(first === undefined ? code : `${first.path === '' ? '(root)' : first.path}: ${first.message}`)
    this.code = code
    this.issues = issues
  }
}

/** True for errors of this kind, whichever installed copy threw them. */
export function isAhpMessageError(value: unknown): value is AhpMessageError {
  return typeof value === 'object' && value !== null && BRAND in value
}
