/**
 * Stable codes of the errors this package throws.
 *
 * - `invalid_option`: an option has a value that it may not have; `option` names it.
 * - `invalid_suite`: the list of checks contradicts itself (a programming error of its author).
 * - `unknown_check`: a selection names a check that does not exist; `check` is the name.
 * - `invalid_report`: a text is not a report of a version that can be read.
 * - `incomparable_reports`: two reports are about different protocols.
 * - `budget_exceeded`: a run has used up one of its budgets; `budget` names it.
 */
export type ConformanceErrorCode =
  | 'invalid_option'
  | 'invalid_suite'
  | 'unknown_check'
  | 'invalid_report'
  | 'incomparable_reports'
  | 'budget_exceeded'

const BRAND: unique symbol = Symbol.for('@doorplate/conformance-kit/error')

/** What a `ConformanceError` says besides its code. */
export interface ConformanceErrorDetails {
  readonly option?: string
  readonly check?: string
  readonly budget?: string
  readonly cause?: unknown
}

/** Every error of this package. What a checked site does never causes one: that is data in the report. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  readonly code: ConformanceErrorCode
  declare readonly option?: string
  declare readonly check?: string
  declare readonly budget?: string

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(code: ConformanceErrorCode, message: string, details: ConformanceErrorDetails = {}) {
    const { cause, ...fields } = details
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    Object.assign(this, fields)
  }
}

/** True for errors of this package, whichever installed copy threw them. */
export function isConformanceError(value: unknown): value is ConformanceError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** The error that says which budget of a run is used up. */
export function budgetExceeded(budget: string, message: string): ConformanceError {
  return new ConformanceError('budget_exceeded', message, { budget })
}
