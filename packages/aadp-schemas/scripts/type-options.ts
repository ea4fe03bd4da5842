import type { TypeOptions } from '@internal/contract-generator'

/**
 * What is special about the types of AADP. A member that the schema does not name is an extension; the data of an entity
 * is a type parameter. What a type cannot say is left out: which of two optional members must be there (`anyOf` of
 * `required`).
 */
export const typeOptions: TypeOptions = {
  revive(key, value) {
    if (key === 'anyOf') return undefined
    if (isSchema(value) && value.title === 'EntityData')
      return { description: value.description, tsType: 'Data' }
    return value
  },
  rewrite: (source) =>
    source
      .replaceAll('[k: string]: unknown', '[extension: `x_${string}`]: unknown')
      .replace('export interface Entity ', 'export interface Entity<Data = Record<string, unknown>> '),
}

function isSchema(value: unknown): value is { readonly title?: string; readonly description?: string } {
  return typeof value === 'object' && value !== null
}
