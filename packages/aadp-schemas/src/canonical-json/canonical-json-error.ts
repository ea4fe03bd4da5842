import { pointerTo } from '../json-pointer.js'

const DESCRIPTIONS = {
  undefined_value: 'undefined is not a JSON value',
  function_value: 'a function is not a JSON value',
  symbol_value: 'a symbol is not a JSON value',
  bigint_value: 'a bigint is not a JSON value',
  non_finite_number: 'NaN and Infinity are not JSON numbers',
  lone_surrogate: 'a lone surrogate has no UTF-8 form',
  array_hole: 'an array has a hole',
  extra_array_property: 'an array has a property that is not an element',
  symbol_key: 'an object has a symbol as a key',
  accessor_property: 'a getter or setter is not plain data',
  non_enumerable_property: 'a non-enumerable property would be lost',
  unsupported_object: 'only plain objects and arrays can be JSON',
  to_json_method: 'a toJSON method would replace the value',
  cycle: 'an object contains itself',
  too_deep: 'arrays and objects are nested more than 1,000 deep',
} as const

/** Why a value was refused. Stable; a later version may add codes. */
export type CanonicalJsonErrorCode = keyof typeof DESCRIPTIONS

const BRAND = Symbol.for('@doorplate/aadp-schemas/canonical-json-error')
const LONGEST_QUOTED_PATH = 120

/** The value has no canonical JSON: `code` says why and `path` where. */
export class CanonicalJsonError extends TypeError {
  override readonly name = 'CanonicalJsonError'
  readonly code: CanonicalJsonErrorCode
  /** JSON Pointer (RFC 6901) to the refused value; `''` is the value itself. */
  readonly path: string

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(code: CanonicalJsonErrorCode, keys: readonly (string | number)[]) {
    const path = keys.reduce<string>(pointerTo, '')
    super(`${DESCRIPTIONS[code]} (at ${quotePath(path)})`)
    this.code = code
    this.path = path
  }
}

/** True for a `CanonicalJsonError`, whichever installed copy threw it. */
export function isCanonicalJsonError(value: unknown): value is CanonicalJsonError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** Keys come from documents, so a message quotes only a short piece of them, with control characters escaped. */
function quotePath(path: string): string {
  return JSON.stringify(path.length > LONGEST_QUOTED_PATH ? `${path.slice(0, LONGEST_QUOTED_PATH)}…` : path)
}
