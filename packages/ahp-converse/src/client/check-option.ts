import { invalidOption, unknownOption } from '../converse-error.js'

/** The longest time that timers take, in milliseconds; longer ones would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647

export interface IntegerRange {
  readonly minimum: number
  readonly maximum?: number
}

/** A whole number in a range, or the default. Throws `invalid_option`. */
export function integerOption(
  option: string,
  value: unknown,
  fallback: number,
  { minimum, maximum = Number.MAX_SAFE_INTEGER }: IntegerRange,
): number {
  const number = value ?? fallback
  if (!Number.isSafeInteger(number) || (number as number) < minimum || (number as number) > maximum) {
    const upper = maximum < Number.MAX_SAFE_INTEGER ? ` and at most ${maximum}` : ''
    throw invalidOption(option, `must be a whole number of at least ${minimum}${upper}`)
  }
  return number as number
}

/** An object with members, as options are. Throws `invalid_option`. */
export function checkRecord(option: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidOption(option, 'must be an object')
}

/** A function, or the default. Throws `invalid_option`. */
export function functionOption<Value>(option: string, value: Value | undefined, fallback: Value): Value {
  const chosen = value ?? fallback
  if (typeof chosen !== 'function') throw invalidOption(option, 'must be a function')
  return chosen
}

/** A list of texts. A text itself is none, although it can be iterated over. */
export function textsOption(option: string, value: readonly string[]): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw invalidOption(option, 'must be a list of texts')
  return value
}

/** A list of some of the known texts. */
export function choicesOption<Choice extends string>(
  option: string,
  value: readonly Choice[],
  known: readonly Choice[],
): readonly Choice[] {
  if (!Array.isArray(value) || !value.every((item: Choice) => known.includes(item)))
    throw invalidOption(option, `must be a list of ${known.join(', ')}`)
  return value as readonly Choice[]
}

/** An AbortSignal, also of another realm. Throws `invalid_option`. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return
  checkRecord('signal', signal)
  if (typeof signal.aborted !== 'boolean' || typeof (signal.throwIfAborted as unknown) !== 'function')
    throw invalidOption('signal', 'must be an AbortSignal')
}

/** Refuses options that do not exist, so that a misspelt one is not left out in silence. */
export function checkNames(options: object, names: readonly string[]): void {
  checkRecord('options', options)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw unknownOption(unknown, names)
}
