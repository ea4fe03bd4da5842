/**
 * Stable codes of the errors this package throws. What a site or an agent does never throws: it is in the report.
 *
 * - `invalid_option`: an option has a value that it may not have, or does not exist; `option` names it.
 * - `invalid_base_url`: the target is not an http or https URL.
 * - `cannot_listen`: a port for callbacks or for agents cannot be opened.
 */
export type AhpConformanceErrorCode = 'invalid_option' | 'invalid_base_url' | 'cannot_listen'

const BRAND: unique symbol = Symbol.for('@doorplate/ahp-conformance/error')

export interface AhpConformanceErrorDetails {
  readonly option?: string
  readonly cause?: unknown
}

/** Every error of this package. */
export class AhpConformanceError extends Error {
  override readonly name = 'AhpConformanceError'
  readonly code: AhpConformanceErrorCode
  declare readonly option?: string

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(code: AhpConformanceErrorCode, message: string, details: AhpConformanceErrorDetails = {}) {
    const { cause, ...fields } = details
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    Object.assign(this, fields)
  }
}

export function invalidOption(option: string, expectation: string, cause?: unknown): AhpConformanceError {
  return new AhpConformanceError('invalid_option', `Option ${option} must be ${expectation}.`, {
    option,
    cause,
  })
}

/** True for errors of this package, whichever installed copy threw them. */
export function isAhpConformanceError(value: unknown): value is AhpConformanceError {
  return typeof value === 'object' && value !== null && BRAND in value
}
