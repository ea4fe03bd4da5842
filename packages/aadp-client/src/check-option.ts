import { InvalidOptionError } from './errors.js'

/** A whole number of at least `minimum`; `Infinity` only where it is allowed by name. */
export function checkInteger(
  option: string,
  value: unknown,
  { minimum, infinity = false }: { readonly minimum: number; readonly infinity?: boolean },
): number {
  if (infinity && value === Infinity) return value
  if (!Number.isSafeInteger(value) || (value as number) < minimum) {
    throw new InvalidOptionError(
      option,
      `a whole number of at least ${minimum}${infinity ? ', or Infinity' : ''}`,
    )
  }
  return value as number
}
