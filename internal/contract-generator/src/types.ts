import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'
import type { DocumentSchema } from './sources.js'

export interface TypeOptions {
  /** Whether an object takes members that its schema does not speak of. Default: true. */
  readonly openObjects?: boolean
  /** Changes the schema, node by node from the inside, as the reviver of `JSON.parse` does. */
  readonly revive?: (key: string, value: unknown) => unknown
  /** Changes the types before they are formatted. */
  readonly rewrite?: (source: string) => string
}

/** The TypeScript types of one document, named by the titles in its schema. */
export async function documentTypes(
  { kind, schema }: DocumentSchema,
  { openObjects = true, revive, rewrite = (source) => source }: TypeOptions = {},
): Promise<string> {
  const described = JSON.parse(JSON.stringify(schema), revive) as Parameters<typeof compile>[0]
  const source = await compile(described, kind, {
    additionalProperties: openObjects,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: false,
  })
  const named = source
    .replaceAll(/^\s*\* (?:This interface was referenced by|via the `\w+` ).*\n/gm, '')
    .replaceAll(/^\s*\/\*\*\n\s*\*\/\n/gm, '')
    .replaceAll(/^\s*\*\s*\n(?=\s*\*\/)/gm, '')
  return format(rewrite(named), { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' })
}
