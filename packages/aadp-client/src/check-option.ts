import { InvalidOptionError } from './errors.js'

/** The longest time that timers take, in milliseconds; longer ones would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647

export interface IntegerRange {
  readonly minimum: number
  readonly maximum?: number
  /** Whether `Infinity` is allowed too. */
  readonly infinity?: boolean
}

/** A whole number in a range. Throws `invalid_option`. */
export function checkInteger(
  option: string,
  value: unknown,
  { minimum, maximum = Number.MAX_SAFE_INTEGER, infinity = false }: IntegerRange,
): number {
  if (infinity && value === Infinity) return value
  if (!Number.isSafeInteger(value) || (value as number) < minimum || (value as number) > maximum) {
    const upper = maximum < Number.MAX_SAFE_INTEGER ? ` and at most ${maximum}` : ''
    throw new InvalidOptionError(
      option,
      `a whole number of at least ${minimum}${upper}${infinity ? ', or Infinity' : ''}`,
    )
  }
  return value as number
}
