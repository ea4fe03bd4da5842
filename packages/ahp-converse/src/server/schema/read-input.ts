import type { ReceivedRequest } from '@doorplate/ahp-manifest/messages'
import { asFailureOf } from '../as-failure-of.js'
import { invalidRequest, type Refusal } from '../refusal.js'
import type { DataSchema } from './data-schema.js'

export type Input = Readonly<Record<string, unknown>>

/** A schema that refers to itself is followed as deep as the data goes, which the stack of calls does not. */
const MAX_DEPTH = 64

/**
 * The structured input of a request, checked. A query in words alone is input without members; where the schema has a
 * member `query`, that is the query.
 */
export async function readInput(
  schema: DataSchema,
  { input = {}, query }: ReceivedRequest,
): Promise<Input | Refusal> {
  if (isDeeper(input, MAX_DEPTH)) return invalidRequest(`input may be nested ${MAX_DEPTH} levels deep.`)
  const takesQuery = hasProperty(schema, 'query') && !Object.hasOwn(input, 'query')
  const verdict = await asFailureOf('answer', () => schema.check(takesQuery ? { ...input, query } : input))
  if ('value' in verdict) return verdict.value as Input
  return invalidRequest(`input does not fit the input schema: ${verdict.issues.join('; ')}`)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}

function hasProperty({ jsonSchema }: DataSchema, name: string): boolean {
  const { properties } = jsonSchema
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name)
}
