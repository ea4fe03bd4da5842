import { invalidOption, unknownOption } from '../converse-error.js'

/** The longest delay a timer takes. */
export const MAX_TIMEOUT_MS = 2_147_483_647

export function checkWhole(
  option: string,
  value: unknown,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
    return value as number
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`
  throw invalidOption(option, `must be a whole number ${range}`)
}

export function checkBoolean(option: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw invalidOption(option, 'must be true or false')
}

export function checkOneOf<Value>(option: string, value: Value, allowed: readonly Value[]): Value {
  if (allowed.includes(value)) return value
  throw invalidOption(option, `must be one of ${allowed.join(', ')}`)
}

export function checkFunction(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw invalidOption(option, 'must be a function')
}

export function refuseUnknown(options: object, known: readonly string[], at?: string): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownOption(at === undefined ? unknown : `${at}.${unknown}`, known)
}

export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
