import { InvalidOptionError } from '../errors.js'
import { nearestName } from './nearest-name.js'

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

/** The options themselves, or an option that has members. Throws `invalid_option`. */
export function checkRecord(option: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidOptionError(option, 'an object')
  }
  return value as Readonly<Record<string, unknown>>
}

/** The names of all members of a type, which the compiler keeps complete. */
export type MemberNames<T> = Readonly<Record<keyof T, true>>

/**
 * An object of options with no member of another name: a misspelt limit would otherwise be no limit. `owner` is the option that
 * holds these, if they are not the options themselves. Throws `invalid_option`.
 */
export function checkMembers(value: unknown, known: Readonly<Record<string, true>>, owner?: string): void {
  const members = checkRecord(owner ?? 'options', value)
  const prefix = owner === undefined ? '' : `${owner}.`
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(known, name) || members[name] === undefined) continue
    const meant = nearestName(name, Object.keys(known))
    throw InvalidOptionError.unknown(prefix + name, meant === undefined ? undefined : prefix + meant)
  }
}

/** What a check makes of a value, if there is one: only `undefined` and `null` are none. */
export function ifGiven<Value, Checked>(
  value: Value | null | undefined,
  check: (value: Value) => Checked,
): Checked | undefined {
  return value === undefined || value === null ? undefined : check(value)
}

export function checkBoolean(option: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw new InvalidOptionError(option, 'true or false')
  return value
}

export function checkFunction<Value>(option: string, value: Value): Value {
  if (typeof value !== 'function') throw new InvalidOptionError(option, 'a function')
  return value
}

/** A list of texts. A text itself is none, although it can be iterated over. */
export function checkTexts(option: string, value: readonly string[]): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new InvalidOptionError(option, 'a list of texts')
  }
  return value
}

/** Also takes the signal of another realm. */
export function checkSignal(value: AbortSignal): AbortSignal {
  const { aborted, addEventListener, throwIfAborted } = checkRecord('signal', value)
  if (
    typeof aborted !== 'boolean' ||
    typeof addEventListener !== 'function' ||
    typeof throwIfAborted !== 'function'
  ) {
    throw new InvalidOptionError('signal', 'an AbortSignal')
  }
  return value
}
