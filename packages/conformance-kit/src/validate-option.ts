import { ConformanceError } from './errors.js'
import { nearestName } from './nearest-name.js'
import { visibleText } from './visible-text.js'

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
export type OptionType = 'flag' | 'text' | 'callback' | 'signal' | 'names' | 'record'

/** How options are told of. */
export interface OptionTypeRules {
  /** How an option is called that holds these, such as `retry`. Default: none does. */
  readonly owner?: string
  /** Names of those that must be there. Default: none. */
  readonly required?: readonly string[]
}

/**
 * Refuses options that are no object, any of the named ones that is there with a value of another type, and the lack of
 * a required one.
 *
 * @throws {ConformanceError} `invalid_option`
 */
export function checkOptionTypes(
  options: unknown,
  types: Readonly<Record<string, OptionType>>,
  { owner, required = [] }: OptionTypeRules = {},
): void {
  if (!isObject(options)) throw invalidOption(owner ?? 'options', 'an object')
  for (const [option, type] of Object.entries(types)) {
    const value = options[option]
    const { isRight, expectation } = OPTION_TYPES[type]
    const isMissing = value === undefined && required.includes(option)
    if (isMissing || (value !== undefined && !isRight(value)))
      throw invalidOption(ownedName(option, owner), expectation)
  }
}

/**
 * Refuses options whose name is not one of the known ones, which a misspelt one would silently lose. `owner` is how an
 * option is called that holds these.
 *
 * @throws {ConformanceError} `invalid_option`
 */
export function checkOptionNames(options: object, known: readonly string[], owner?: string): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const meant = nearestName(name, known)
    const hint = meant === undefined ? '' : ` Did you mean ${ownedName(meant, owner)}?`
    const option = ownedName(name, owner)
    const message = `There is no option ${visibleText(option, MAX_SHOWN_NAME)}.${hint}`
    throw new ConformanceError('invalid_option', message, { option })
  }
}

function ownedName(name: string, owner: string | undefined): string {
  return owner === undefined ? name : `${owner}.${name}`
}

const MAX_SHOWN_NAME = 60

export function invalidOption(option: string, expectation: string, cause?: unknown): ConformanceError {
  return new ConformanceError('invalid_option', `Option ${option} must be ${expectation}.`, { option, cause })
}

const OPTION_TYPES: Readonly<
  Record<OptionType, { isRight: (value: unknown) => boolean; expectation: string }>
> = {
  flag: { isRight: (value) => typeof value === 'boolean', expectation: 'true or false' },
  text: {
    isRight: (value) => typeof value === 'string' && value !== '',
    expectation: 'a text that is not empty',
  },
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
