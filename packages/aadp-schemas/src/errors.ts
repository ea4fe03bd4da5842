/** Stable codes of the errors this package throws. */
export type AadpSchemasErrorCode = 'unsupported_version' | 'unknown_kind' | 'invalid_argument'

const BRAND = Symbol.for('@doorplate/aadp-schemas/error')

/** A call that names something this package does not know. Documents themselves never cause an exception. */
export abstract class AadpSchemasError extends Error {
  abstract readonly code: AadpSchemasErrorCode

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }
}

/** `unsupported_version`: the version is not one of `SUPPORTED_VERSIONS`. */
export class UnsupportedAadpVersionError extends AadpSchemasError {
  override readonly name = 'UnsupportedAadpVersionError'
  readonly code = 'unsupported_version' as const
  /** The refused version as given; anything but a string is described by its type. */
  readonly version: string

  constructor(version: unknown, supported: readonly string[]) {
    const named = describe(version)
    super(`AADP version ${named} is not supported; supported are ${supported.join(', ')}`)
    this.version = typeof version === 'string' ? version : named
  }
}

/** `unknown_kind`: the kind is not one of `KINDS`. */
export class UnknownKindError extends AadpSchemasError {
  override readonly name = 'UnknownKindError'
  readonly code = 'unknown_kind' as const
  readonly kind: string

  constructor(kind: unknown, known: readonly string[]) {
    const named = describe(kind)
    super(`${named} is not a kind of AADP document; kinds are ${known.join(', ')}`)
    this.kind = typeof kind === 'string' ? kind : named
  }
}

/** `invalid_argument`: a function was called with something of another form. */
export class InvalidArgumentError extends AadpSchemasError {
  override readonly name = 'InvalidArgumentError'
  readonly code = 'invalid_argument' as const
}

/** True for errors of this package, whichever installed copy threw them. */
export function isAadpSchemasError(value: unknown): value is AadpSchemasError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** Values come from documents, so a message quotes only a short piece of them. */
function describe(value: unknown): string {
  if (typeof value !== 'string') return `of type ${value === null ? 'null' : typeof value}`
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}
