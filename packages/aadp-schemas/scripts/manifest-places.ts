import {
  inlined,
  schemaPlaces,
  semanticRules,
  type DocumentSchema,
  type Requirement,
  type Schema,
} from '@internal/contract-generator'

/** What the semantic rules need to know of the manifest: where URLs and texts stand, and the rule behind each code. */
export function manifestPlaces(
  document: DocumentSchema | undefined,
  requirements: readonly Requirement[] = [],
): string {
  if (document === undefined) throw new Error('The 1.0 manifest has no schema.')
  const places = [...schemaPlaces(inlined(document.schema))]
  const where = (matches: (schema: Schema) => boolean): string[] =>
    places.filter(([, schema]) => matches(schema)).map(([place]) => place)
  return `/** Places of the manifest that hold a URL. */
export const urlPlaces: readonly string[] = ${JSON.stringify(
    where((schema) => schema.format === 'uri'),
    null,
    2,
  )}

/** Places of the manifest that hold a text which must not be empty. */
export const textPlaces: readonly string[] = ${JSON.stringify(
    where((schema) => schema.minLength !== undefined),
    null,
    2,
  )}

${semanticRules(requirements)}`
}
