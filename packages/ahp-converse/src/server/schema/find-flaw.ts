import { dereference, type Schema } from '@cfworker/json-schema'

/** Formats of the validator whose check takes a time that doubles with each character. */
const ENDLESS_FORMATS: readonly unknown[] = ['url']

/** What in a JSON Schema would show itself only with the data of some visitor; undefined when there is nothing. */
export function findFlaw(schema: Schema): string | undefined {
  const parts = dereference(schema)
  for (const part of Object.values(parts)) {
    if (typeof part === 'boolean') continue
    const { $ref, __absolute_ref__: reference = $ref, pattern, patternProperties = {}, format } = part
    if (reference !== undefined && !Object.hasOwn(parts, reference)) return `nothing is at the $ref ${$ref}`
    for (const text of [...Object.keys(patternProperties), ...(pattern === undefined ? [] : [pattern])])
      if (!isPattern(text)) return `the pattern ${text} is none`
    if (ENDLESS_FORMATS.includes(format)) return `the format ${format} can take for ever: take uri`
  }
  return undefined
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
