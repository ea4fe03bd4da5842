/** The part of JSON Schema that the hand-written schemas use. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly title?: string
  readonly type?: string
  readonly format?: string
  readonly minLength?: number
  readonly properties?: Readonly<Record<string, Schema | true>>
  readonly patternProperties?: Readonly<Record<string, Schema | true>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** The hand-written schema of one kind of document in one version of a protocol. */
export interface DocumentSchema {
  readonly version: string
  readonly kind: string
  readonly schema: Schema & { readonly $id: string }
}

/** What generated code calls versions and kinds: two types, and the module that exports them. */
export interface DocumentNames {
  readonly version: string
  readonly kind: string
  readonly module: string
}

/** A numbered rule as extracted from the specification text. */
export interface Requirement {
  readonly id: string
  readonly subject: string
  readonly place?: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  readonly section: string
  readonly text: string
}

/**
 * The schema with every definition written in place of its `$ref`. Failures then carry the path of the alternative they
 * belong to, and no validator calls another.
 */
export function inlined({ $defs = {}, ...schema }: DocumentSchema['schema']): DocumentSchema['schema'] {
  return inline(schema, $defs) as DocumentSchema['schema']
}

function inline(node: unknown, definitions: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(item, definitions))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) return inline(definition(String(node.$ref), definitions), definitions)
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, inline(child, definitions)]))
}

function definition(ref: string, definitions: Readonly<Record<string, Schema>>): Schema {
  const target = definitions[ref.replace('#/$defs/', '')]
  if (target === undefined) throw new Error(`Cannot resolve ${ref}`)
  return target
}

/** Every place that an inlined schema names, as pointer patterns with `*` for items and map members. */
export function schemaPlaces(root: Schema): Map<string, Schema> {
  const places = new Map<string, Schema>()
  visit(root, '')
  return places

  function visit(schema: Schema, place: string): void {
    if (!places.has(place)) places.set(place, schema)
    for (const [name, child] of Object.entries(schema.properties ?? {})) {
      if (child !== true) visit(child, `${place}/${name}`)
    }
    if (schema.items !== undefined) visit(schema.items, `${place}/*`)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, `${place}/*`)
    for (const branch of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) visit(branch, place)
  }
}
