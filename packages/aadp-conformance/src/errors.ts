/**
 * Stable codes of the errors this package throws. What a site does never throws: it is in the report.
 *
 * - `invalid_option`: an option of a run has a value that it may not have; `option` names it.
 * - `invalid_base_url`: the target is not an http or https URL.
 * - `unsupported_version`: the runner knows no checks for this protocol version; `version` names it.
 */
export type AadpConformanceErrorCode = 'invalid_option' | 'invalid_base_url' | 'unsupported_version'

const BRAND: unique symbol = Symbol.for('@doorplate/aadp-conformance/error')

/** Every error of this package. */
export abstract class AadpConformanceError extends Error {
  abstract readonly code: AadpConformanceErrorCode

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }
}

/** `invalid_option` */
export class InvalidConformanceOptionsError extends AadpConformanceError {
  override readonly name = 'InvalidConformanceOptionsError'
  readonly code = 'invalid_option' as const
  readonly option: string

  constructor(option: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.option = option
  }
}

/** `invalid_base_url` */
export class InvalidBaseUrlError extends AadpConformanceError {
  override readonly name = 'InvalidBaseUrlError'
  readonly code = 'invalid_base_url' as const

  constructor() {
    super('The base URL must be an http or https URL without user name and password.')
  }
}

/** `unsupported_version` */
export class UnsupportedConformanceVersionError extends AadpConformanceError {
  override readonly name = 'UnsupportedConformanceVersionError'
  readonly code = 'unsupported_version' as const
  readonly version: string

  constructor(version: unknown) {
    const named =
      typeof version === 'string' ? JSON.stringify(version.slice(0, 40)) : `of type ${typeof version}`
    super(`There are no checks for AADP version ${named}; there are for 1.0 and 0.1.`)
    this.version = typeof version === 'string' ? version : named
  }
}

/** True for errors of this package, whichever installed copy threw them. */
export function isAadpConformanceError(value: unknown): value is AadpConformanceError {
  return typeof value === 'object' && value !== null && BRAND in value
}
