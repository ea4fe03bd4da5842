import { dereference, type Schema } from '@cfworker/json-schema'
import { patternCost } from './pattern-cost.js'

/** Formats of the validator whose check takes a time that doubles with each character. */
const ENDLESS_FORMATS: readonly unknown[] = ['url']

/** What in a JSON Schema would show itself only with the data of some visitor; undefined when there is nothing. */
export function findFlaw(schema: Schema): string | undefined {
  const parts = dereference(schema)
  for (const part of Object.values(parts)) {
    if (typeof part === 'boolean') continue
    const { $ref, __absolute_ref__: reference = $ref, format } = part
    if (reference !== undefined && !Object.hasOwn(parts, reference)) return `nothing is at the $ref ${$ref}`
    if (ENDLESS_FORMATS.includes(format)) return `the format ${format} can take for ever: take uri`
  }
  return findSlowPattern(schema)
}

/** A pattern that is none, or takes more than the square of the length of what it is matched with; undefined when there is none. */
export function findSlowPattern(schema: Schema): string | undefined {
  for (const pattern of patternsIn(schema)) {
    if (!isPattern(pattern)) return `the pattern ${pattern} is none`
    const cost = patternCost(pattern)
    if (cost === 'exponential' || cost > 2)
      return `the pattern ${pattern} can take for ever with what a stranger sends: it can take one text in many ways`
  }
  return undefined
}

/** Whether matching can take the square of the length. */
export function hasSquarePattern(schema: Schema): boolean {
  return patternsIn(schema).some((pattern) => patternCost(pattern) === 2)
}

function patternsIn(schema: Schema): readonly string[] {
  const patterns = Object.values(dereference(schema)).flatMap((part) =>
    typeof part === 'boolean'
      ? []
      : [...Object.keys(part.patternProperties ?? {}), ...(part.pattern === undefined ? [] : [part.pattern])],
  )
  return [...new Set(patterns)]
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
