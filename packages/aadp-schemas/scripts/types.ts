import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'
import type { DocumentSchema, Schema } from './sources.js'

/** The TypeScript types of one document, named by the titles in its schema. */
export async function documentTypes({ kind, schema }: DocumentSchema): Promise<string> {
  const described = JSON.parse(JSON.stringify(schema), simplify) as Parameters<typeof compile>[0]
  const source = await compile(described, kind, {
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: false,
  })
  const named = source
    .replaceAll(/^\s*\* (?:This interface was referenced by|via the `\w+` ).*\n/gm, '')
    .replaceAll(/^\s*\/\*\*\n\s*\*\/\n/gm, '')
    .replaceAll(/^\s*\*\s*\n(?=\s*\*\/)/gm, '')
    .replaceAll('[k: string]: unknown', '[extension: `x_${string}`]: unknown')
    .replace('export interface Entity ', 'export interface Entity<Data = Record<string, unknown>> ')
  return format(named, { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' })
}

/**
 * What a type cannot say is left out: which of two optional members must be there (`anyOf` of `required`). The data of
 * an entity becomes a type parameter.
 */
function simplify(key: string, value: unknown): unknown {
  if (key === 'anyOf') return undefined
  if (isSchema(value) && value.title === 'EntityData')
    return { description: value.description, tsType: 'Data' }
  return value
}

function isSchema(value: unknown): value is Schema & { description?: string } {
  return typeof value === 'object' && value !== null
}
