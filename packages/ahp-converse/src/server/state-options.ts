import { invalidOption } from '../converse-error.js'
import { checkWhole, isRecord, refuseUnknown } from './check-option.js'

/** Refuses what is no object, and members that are no option, so that a misspelt one is not left out in silence. */
export function checkMembers(option: string, value: object, members: readonly string[]): void {
  if (!isRecord(value)) throw invalidOption(option, 'must be an object')
  refuseUnknown(value, members, option)
}

/** A whole number of at least 1, or the default. */
export function wholeOption(option: string, value: unknown, fallback: number): number {
  return checkWhole(option, value ?? fallback, 1)
}

/** A store, undefined for none: an object with these methods. */
export function storeOption<Store extends object>(
  option: string,
  store: Store | undefined,
  methods: readonly (keyof Store)[],
): Store | undefined {
  if (store === undefined) return undefined
  if (isRecord(store) && methods.every((method) => typeof store[method] === 'function')) return store
  throw invalidOption(option, `must have the methods ${methods.join(', ')}`)
}
