import { SafeFetchError } from '../errors.js'

/** Timers in Node fire at once beyond this delay. */
export const MAX_TIMER_MS = 2_147_483_647

export function invalidOption(option: string, expectation: string, cause?: unknown): SafeFetchError {
  return new SafeFetchError('invalid_option', `Option ${option} must be ${expectation}.`, { option, cause })
}

/** A whole number in [minimum, maximum], or the default if the option is absent. */
export function integerOption<Default extends number | undefined>(
  option: string,
  value: number | undefined,
  defaultValue: Default,
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): number | Default {
  if (value === undefined) return defaultValue
  if (!Number.isSafeInteger(value) || value < minimum || value > maximum) {
    throw invalidOption(option, `a whole number from ${minimum} to ${maximum}`)
  }
  return value
}

export function choiceOption<Choice extends string>(
  option: string,
  value: Choice | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  if (value === undefined) return choices[0]
  if (!choices.includes(value)) throw invalidOption(option, `one of ${choices.join(', ')}`)
  return value
}

/** Also takes the signal of another realm or of a polyfill. */
export function signalOption(signal: AbortSignal | null | undefined): AbortSignal | undefined {
  if (signal === undefined || signal === null) return undefined
  const members: Partial<Record<keyof AbortSignal, unknown>> = signal
  if (typeof members.aborted !== 'boolean' || typeof members.addEventListener !== 'function') {
    throw invalidOption('signal', 'an AbortSignal')
  }
  return signal
}

export function functionOption<Value>(option: string, value: Value | undefined): Value | undefined {
  if (value !== undefined && typeof value !== 'function') throw invalidOption(option, 'a function')
  return value
}

export function listOption<Item>(option: string, value: readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return []
  if (!isList(value)) throw invalidOption(option, 'a list')
  return value
}

/** True for `{}` of any realm, and for an object without prototype. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The own members of a plain object; a list, a Map or a Headers has none that could be read, and is refused. */
export function entriesOption<Value>(
  option: string,
  value: Readonly<Record<string, Value>> | undefined,
): [string, Value][] {
  if (value === undefined) return []
  if (!isRecord(value)) throw invalidOption(option, 'a plain object')
  return Object.entries(value)
}

/** An object that inherits nothing, and is as fast as any other: one without prototype is not. */
const Members = function () {
  // Nothing: the members are assigned.
} as unknown as new () => object
Members.prototype = Object.freeze(Object.create(null) as object)

/**
 * The own members of an options object, each read once. Refuses members that nothing reads: a misspelt limit would
 * otherwise be no limit. What `Object.prototype` may have been given is no option.
 */
export function ownMembers<Options extends object>(
  owner: string,
  options: Options,
  known: ReadonlySet<string>,
): Options {
  if (!isRecord(options)) throw invalidOption(owner, 'a plain object')
  const members: Options = Object.assign(new Members(), options)
  for (const key of Object.keys(members)) {
    if (!known.has(key) && members[key as keyof Options] !== undefined) {
      throw new SafeFetchError(
        'invalid_option',
        `${owner} has no member ${JSON.stringify(key.slice(0, 40))}.`,
        { option: key },
      )
    }
  }
  return members
}
