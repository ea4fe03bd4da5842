const BRAND = Symbol.for('@doorplate/aadp-server/config-error')

/** Stable codes of configuration errors. */
export type AadpConfigErrorCode =
  | 'invalid_option'
  | 'unknown_option'
  | 'invalid_base_url'
  | 'unsupported_version'
  | 'duplicate_resource_type'
  | 'invalid_route'
  | 'route_collision'
  | 'invalid_manifest'

/** A declaration that cannot be published; thrown before anything is served. */
export class AadpConfigError extends Error {
  override readonly name = 'AadpConfigError'
  readonly code: AadpConfigErrorCode
  /** The option at fault, as it is written in the declaration: `resources[2].type`. */
  readonly option: string

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(code: AadpConfigErrorCode, option: string, message: string, options?: ErrorOptions) {
    super(`${option}: ${message}`, options)
    this.code = code
    this.option = option
  }
}

/** True for an `AadpConfigError`, whichever installed copy threw it. */
export function isAadpConfigError(value: unknown): value is AadpConfigError {
  return typeof value === 'object' && value !== null && BRAND in value
}
