import { invalidOption } from '../converse-error.js'

/** Refuses what is no object, and members that are no option, so that a misspelt one is not left out in silence. */
export function checkMembers(option: string, value: unknown, members: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidOption(option, 'must be an object')
  }
  const unknown = Object.keys(value).find((member) => !members.includes(member))
  if (unknown !== undefined) throw invalidOption(`${option}.${unknown}`, 'is not an option')
}

/** A whole number of at least 1, or the default. */
export function wholeOption(option: string, value: unknown, fallback: number): number {
  const number = value ?? fallback
  if (Number.isSafeInteger(number) && (number as number) >= 1) return number as number
  throw invalidOption(option, 'must be a whole number of 1 or more')
}

/** A store, undefined for none: an object with these methods. */
export function storeOption<Store extends object>(
  option: string,
  store: Store | undefined,
  methods: readonly (keyof Store)[],
): Store | undefined {
  if (store === undefined) return undefined
  const isObject = typeof (store as unknown) === 'object' && (store as unknown) !== null
  if (isObject && methods.every((method) => typeof store[method] === 'function')) return store
  throw invalidOption(option, `must have the methods ${methods.join(', ')}`)
}
