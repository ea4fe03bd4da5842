import { ConformanceError } from './errors.js'

/** Timers in Node fire at once beyond this delay. */
export const MAX_TIMER_MS = 2_147_483_647

/** A whole number of at least `minimum`, or the default if the option is absent; refuses anything else. */
export function integerOption(
  option: string,
  value: number | undefined,
  defaultValue: number,
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): number {
  if (value === undefined) return defaultValue
  if (!Number.isSafeInteger(value) || value < minimum || value > maximum) {
    throw invalidOption(option, `a whole number from ${minimum} to ${maximum}`)
  }
  return value
}

export function invalidOption(option: string, expectation: string, cause?: unknown): ConformanceError {
  return new ConformanceError('invalid_option', `Option ${option} must be ${expectation}.`, { option, cause })
}
