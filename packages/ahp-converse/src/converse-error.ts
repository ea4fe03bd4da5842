const BRAND = Symbol.for('@doorplate/ahp-converse/error')

/** Stable codes of this package's errors. */
export type ConverseErrorCode =
  /** An option makes no sense; the message names it. */
  'invalid_option'

/** Thrown by every part of this package. No message holds a credential, a header value or what a visitor wrote. */
export class ConverseError extends Error {
  override readonly name = 'ConverseError'
  readonly code: ConverseErrorCode
  /** The option at fault, as it is written in the configuration: `capabilities.search.mode`. */
  readonly option?: string

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(
    code: ConverseErrorCode,
    message: string,
    { option, ...options }: ErrorOptions & { readonly option?: string } = {},
  ) {
    super(message, options)
    this.code = code
    if (option !== undefined) this.option = option
  }
}

/** True for a `ConverseError`, whichever installed copy threw it. */
export function isConverseError(value: unknown): value is ConverseError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** `invalid_option` for an option of this name. */
export function invalidOption(option: string, rule: string): ConverseError {
  return new ConverseError('invalid_option', `${option} ${rule}`, { option })
}
