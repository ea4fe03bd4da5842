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

/** What an option that is no number has to be. */
export type OptionType = 'flag' | 'callback' | 'signal' | 'names' | 'record'

/**
 * Refuses options that are no object, and any of the named ones that is there with a value of another type.
 *
 * @throws {ConformanceError} `invalid_option`
 */
export function checkOptionTypes(options: unknown, types: Readonly<Record<string, OptionType>>): void {
  if (!isObject(options)) throw invalidOption('options', 'an object')
  for (const [option, type] of Object.entries(types)) {
    const value = options[option]
    const { isRight, expectation } = OPTION_TYPES[type]
    if (value !== undefined && !isRight(value)) throw invalidOption(option, expectation)
  }
}

export function invalidOption(option: string, expectation: string, cause?: unknown): ConformanceError {
  return new ConformanceError('invalid_option', `Option ${option} must be ${expectation}.`, { option, cause })
}

const OPTION_TYPES: Readonly<
  Record<OptionType, { isRight: (value: unknown) => boolean; expectation: string }>
> = {
  flag: { isRight: (value) => typeof value === 'boolean', expectation: 'true or false' },
  callback: { isRight: (value) => typeof value === 'function', expectation: 'a function' },
  signal: { isRight: (value) => value instanceof AbortSignal, expectation: 'an AbortSignal' },
  names: { isRight: isListOfText, expectation: 'a list of strings' },
  record: { isRight: isRecord, expectation: 'a plain object' },
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

/** A Map, a Headers object or a list has no members that an object would have, and would count as empty. */
function isRecord(value: unknown): boolean {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
