import { Validator, type SchemaDraft } from '@cfworker/json-schema'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { invalidOption } from '../../converse-error.js'
import { oneLine } from '../../one-line.js'
import { boundsFor, excessOf } from './data-bounds.js'
import { findFlaw, findSlowPattern } from './find-flaw.js'
import type { JsonSchema } from './json-schema.js'
import { misfits } from './misfits.js'
import { namedMembers } from './named-members.js'

/**
 * How a site describes data: a JSON Schema, a schema of a library that implements Standard Schema and Standard JSON Schema
 * (Zod 4.2, ArkType 2.1.28, Valibot by `toStandardJsonSchema`), or one that only validates, with its JSON Schema beside it.
 */
export type SchemaOption =
  | JsonSchema
  | (StandardSchemaV1 & StandardJSONSchemaV1)
  | { readonly standard: StandardSchemaV1; readonly jsonSchema: JsonSchema }

/** Data that fits, as the library made it, or of output what the JSON Schema names; or what is wrong, each with its place: `/date: must be a string`. */
export type DataVerdict = { readonly value: unknown } | { readonly issues: readonly string[] }

export interface DataSchema {
  /** For the manifest. */
  readonly jsonSchema: JsonSchema
  readonly check: (data: unknown) => DataVerdict | Promise<DataVerdict>
}

const DRAFTS: ReadonlyMap<string, SchemaDraft> = new Map([
  ['http://json-schema.org/draft-07/schema', '7'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
])
const MAX_ISSUES = 5
const MAX_ISSUE_LENGTH = 256

/** @throws {ConverseError} `invalid_option` */
export function createDataSchema(
  option: string,
  given: SchemaOption,
  direction: 'input' | 'output',
): DataSchema {
  const schema = schemaOf(option, given, direction)
  return direction === 'input' ? withBounds(schema) : schema
}

function schemaOf(option: string, given: SchemaOption, direction: 'input' | 'output'): DataSchema {
  if (!isObject(given)) throw invalidOption(option, 'must be a schema')
  if (!isStandard(given)) {
    const { standard, jsonSchema }: Record<string, unknown> = given
    if (!isStandard(standard)) return fromJsonSchema(option, given, direction)
    return fromStandard(standard, withoutSlowPattern(option, describesObject(option, jsonSchema)))
  }
  const jsonSchema = describesObject(option, convert(option, given, direction))
  return fromStandard(given, withoutSlowPattern(option, jsonSchema))
}

/** Libraries match by the patterns that they write down. */
function withoutSlowPattern(option: string, jsonSchema: JsonSchema): JsonSchema {
  const flaw = findSlowPattern(jsonSchema)
  if (flaw !== undefined) throw invalidOption(option, `cannot be used: ${flaw}`)
  return jsonSchema
}

/** A schema that is not asked about data which it would take too long to check. */
function withBounds({ jsonSchema, check }: DataSchema): DataSchema {
  const bounds = boundsFor(jsonSchema)
  return {
    jsonSchema,
    check(data) {
      const excess = excessOf(data, bounds)
      return excess === undefined ? check(data) : { issues: [excess] }
    },
  }
}

function fromJsonSchema(option: string, schema: JsonSchema, direction: 'input' | 'output'): DataSchema {
  const jsonSchema = describesObject(option, schema)
  const name = jsonSchema['$schema']
  const draft = name === undefined ? '2020-12' : draftOf(name)
  if (draft === undefined) throw invalidOption(option, 'must be of JSON Schema draft-07, 2019-09 or 2020-12')
  try {
    const validator = new Validator(jsonSchema, draft)
    validator.validate({})
    const flaw = findFlaw(jsonSchema)
    if (flaw !== undefined) throw new Error(flaw)
    return {
      jsonSchema,
      check(data) {
        const { valid, errors } = validator.validate(data)
        if (valid) return { value: direction === 'output' ? namedMembers(jsonSchema, data) : data }
        return { issues: misfits(errors, direction).slice(0, MAX_ISSUES).map(brief) }
      },
    }
  } catch (cause) {
    throw invalidOption(
      option,
      `cannot be used: ${cause instanceof Error ? cause.message : 'no JSON Schema'}`,
    )
  }
}

function draftOf(name: unknown): SchemaDraft | undefined {
  return typeof name === 'string' ? DRAFTS.get(name.replace(/#$/, '')) : undefined
}

function fromStandard(standard: StandardSchemaV1, jsonSchema: JsonSchema): DataSchema {
  return {
    jsonSchema,
    async check(data) {
      const result = await standard['~standard'].validate(data)
      if (result.issues === undefined) return { value: result.value }
      return { issues: result.issues.slice(0, MAX_ISSUES).map(describeIssue) }
    },
  }
}

function describeIssue({ message, path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
  return brief(`${keys.map((key) => `/${key}`).join('')}: ${message}`)
}

/** Some issues name every value there could be. */
function brief(issue: string): string {
  return oneLine(issue, MAX_ISSUE_LENGTH)
}

function convert(option: string, schema: Standard, direction: 'input' | 'output'): JsonSchema {
  const { jsonSchema } = schema['~standard']
  if (jsonSchema === undefined)
    throw invalidOption(option, 'has no JSON Schema of its own: give { standard, jsonSchema }')
  try {
    return jsonSchema[direction]({ target: 'draft-2020-12' })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown'
    throw invalidOption(option, `cannot be written as JSON Schema (${reason}): give { standard, jsonSchema }`)
  }
}

/** What travels is a JSON object. */
function describesObject(option: string, schema: unknown): JsonSchema {
  if (!isObject(schema) || schema['type'] !== 'object')
    throw invalidOption(option, 'must describe an object: type must be "object"')
  return schema
}

type Standard = StandardSchemaV1 & {
  readonly '~standard': StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>
}

/** Some libraries make their schemas functions. */
function isStandard(value: unknown): value is Standard {
  if (!isObject(value)) return false
  const standard = value['~standard'] as Partial<StandardSchemaV1.Props> | undefined
  return typeof standard?.validate === 'function'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null && !Array.isArray(value)) || typeof value === 'function'
}
