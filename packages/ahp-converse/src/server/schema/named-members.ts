import type { JsonSchema } from './json-schema.js'

/** What says more of an object than its own `properties`: then it cannot be told here which members are named. */
const ELSEWHERE: readonly string[] = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
]

/**
 * Data without the members that its schema does not name. A schema lets more through than it names unless it says otherwise,
 * and what is found in a database has more members than anybody meant to publish.
 */
export function namedMembers(schema: unknown, data: unknown): unknown {
  if (!isSchema(schema)) return data
  if (Array.isArray(data)) return data.map((item) => namedMembers(schema['items'], item))
  const { properties } = schema
  if (!isSchema(data) || !isSchema(properties) || ELSEWHERE.some((keyword) => Object.hasOwn(schema, keyword)))
    return data
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) =>
      Object.hasOwn(properties, name) ? [[name, namedMembers(properties[name], value)]] : [],
    ),
  )
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
