import type { JsonSchema } from '../server/schema/json-schema.js'

/** A field of a form for one member of an output. */
export interface OutputField {
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly isRequired: boolean
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice'
  readonly choices: readonly string[]
}

export type ReadOutput =
  | { readonly output: Readonly<Record<string, unknown>> | undefined }
  | { readonly problem: string; readonly field: string }

/** Fields of forms are named so, that no member of an output is taken for another field. */
export const FIELD_PREFIX = 'output.'
/** The field for an output that only JSON can express. */
export const JSON_FIELD = 'output'

const KINDS: Readonly<Record<string, OutputField['kind']>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
}
const OWN_KEYWORDS = ['anyOf', 'oneOf', 'allOf', '$ref', 'if', 'not', 'patternProperties']
const MAX_FIELDS = 20

/** A field for each member of an object of plain values; undefined for what is more than that. */
export function outputFields(schema: JsonSchema): readonly OutputField[] | undefined {
  if (OWN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))) return undefined
  const properties = Object.entries(record(schema['properties']))
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : []
  if (properties.length > MAX_FIELDS || required.some((name) => properties.every(([own]) => own !== name)))
    return undefined
  const fields = properties.map(([name, member]) => fieldOf(name, record(member), required.includes(name)))
  return fields.every((field) => field !== undefined) ? fields : undefined
}

/** What a form says of the output. */
export function readOutput(schema: JsonSchema, form: URLSearchParams): ReadOutput {
  const fields = outputFields(schema)
  if (fields === undefined) return readJson(form.get(JSON_FIELD) ?? '')
  const members: [string, unknown][] = []
  for (const field of fields) {
    const text = form.get(FIELD_PREFIX + field.name) ?? ''
    if (text === '' && !field.isRequired) continue
    const value = valueOf(field, text)
    if (value === undefined)
      return { problem: `${field.label}: ${RULES[field.kind]}.`, field: FIELD_PREFIX + field.name }
    members.push([field.name, value])
  }
  return { output: Object.fromEntries(members) }
}

const RULES: Readonly<Record<OutputField['kind'], string>> = {
  text: 'enter a text',
  number: 'enter a number, such as 12.5',
  integer: 'enter a whole number',
  boolean: 'choose yes or no',
  choice: 'choose one',
}

function fieldOf(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  isRequired: boolean,
): OutputField | undefined {
  const values = schema['enum']
  const isChoice = Array.isArray(values) && values.every((value) => typeof value === 'string')
  const kind = isChoice ? 'choice' : values === undefined ? KINDS[String(schema['type'])] : undefined
  if (kind === undefined || !isPlain(schema)) return undefined
  const { title, description } = schema
  return {
    name,
    label: typeof title === 'string' ? title : name,
    hint: typeof description === 'string' ? description : undefined,
    isRequired,
    kind,
    choices: isChoice ? values : [],
  }
}

function isPlain(schema: Readonly<Record<string, unknown>>): boolean {
  return !OWN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword)) && !Object.hasOwn(schema, 'const')
}

function valueOf({ kind, choices }: OutputField, text: string): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'choice':
      return choices.find((choice) => choice === text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'number':
    case 'integer':
      return numberOf(kind, text.trim())
  }
}

function numberOf(kind: 'number' | 'integer', text: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return undefined
  const value = Number(text)
  const isFit = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  return isFit ? value : undefined
}

function readJson(text: string): ReadOutput {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { output: value as Readonly<Record<string, unknown>> }
  } catch {
    // The problem says it.
  }
  return { problem: 'Data: enter a JSON object.', field: JSON_FIELD }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
