import { isAbsentOr, isTexts } from '../options/check-option.js'

/** Response headers in any usual form; values of a repeated field are an array or several pairs. */
export type HeaderFields =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | readonly (readonly [name: string, value: string])[]

/** Gives all values of a field, whatever its case. */
export function headerValues(headers: HeaderFields, name: string): readonly string[] {
  return [...headerEntries(headers)]
    .filter(([field]) => field.toLowerCase() === name)
    .map(([, value]) => value)
}

/** Whether a value can be read as header fields. */
export function areHeaderFields(value: unknown): value is HeaderFields {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value))
    return Array.from(value as unknown[]).every((pair) => isTexts(pair) && pair.length === 2)
  if (Symbol.iterator in value) return value instanceof Headers || value instanceof Map
  return Object.values(value).every((field) => isAbsentOr('string', field) || isTexts(field))
}

export function headerValue(headers: HeaderFields, name: string): string | undefined {
  return headerValues(headers, name)[0]
}

function* headerEntries(headers: HeaderFields): Generator<readonly [string, string]> {
  if (Symbol.iterator in headers) {
    yield* headers
    return
  }
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') yield [name, value]
    else for (const item of value ?? []) yield [name, item]
  }
}
