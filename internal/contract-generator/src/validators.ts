import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { build } from 'esbuild'
import { inlined, type DocumentNames, type DocumentSchema } from './sources.js'

/** The bundle carries run-time parts of these libraries. */
const NOTICE = `/*!
 * ajv, (c) 2015-2021 Evgeny Poberezkin, MIT licence
 * ajv-formats, (c) 2020 Evgeny Poberezkin, MIT licence
 */
`

/**
 * One ES module with a validator for every document, without ajv, eval or imports. ajv's own standalone output still
 * requires its run-time helpers, so it is bundled.
 */
export async function validatorModule(schemas: readonly DocumentSchema[]): Promise<string> {
  const ajv = new Ajv2020({
    allErrors: true,
    messages: false,
    ownProperties: true,
    strict: true,
    code: { source: true, esm: true, lines: true },
  })
  addFormats.default(ajv)
  const names: Record<string, string> = {}
  for (const document of schemas) {
    ajv.addSchema(inlined(document.schema))
    names[exportName(document)] = document.schema.$id
  }
  const bundled = await build({
    stdin: {
      contents: withPlainDates(withSafeIndexes(standaloneCode.default(ajv, names))) + lookup(schemas),
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    minify: true,
    legalComments: 'none',
  })
  return NOTICE + (bundled.outputFiles[0]?.text ?? '')
}

/** ajv counts unique strings as members of `{}`, where two items `__proto__` leave no trace. */
function withSafeIndexes(code: string): string {
  return code.replaceAll(/(const indices\d+ = )\{\}/g, '$1Object.create(null)')
}

/** Dates as nearly everybody writes them are known at a glance; the check of ajv-formats takes several times as long. */
function withPlainDates(code: string): string {
  return (
    code.replaceAll(/require\([^()]+\)\.fullFormats\["date-time"\]/g, 'plainDatesFirst($&)') +
    PLAIN_DATES_FIRST
  )
}

/** What is plain is also right: in UTC, no day after the 28th, no leap second. */
const PLAIN_DATES_FIRST = String.raw`
function plainDatesFirst(dateTime) {
  const plain = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/
  return { validate: (text) => plain.test(text) || dateTime.validate(text) }
}
`

/** The declarations of a module that `validatorModule` wrote. */
export function validatorTypes({ version, kind, module }: DocumentNames): string {
  return `import type { ${version}, ${kind} } from '${module}'

export interface SchemaError {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface SchemaValidator {
  (data: unknown): boolean
  readonly errors: readonly SchemaError[] | null
}

export declare const validators: Readonly<Record<${version}, Readonly<Record<${kind}, SchemaValidator>>>>
`
}

function exportName({ version, kind }: DocumentSchema): string {
  return `v${version}_${kind}`.replaceAll(/[^a-z0-9_]/g, '_')
}

function lookup(schemas: readonly DocumentSchema[]): string {
  const versions = [...new Set(schemas.map(({ version }) => version))]
  const entries = versions.map((version) => {
    const kinds = schemas.filter((document) => document.version === version)
    return `'${version}': { ${kinds.map((document) => `'${document.kind}': ${exportName(document)}`).join(', ')} }`
  })
  return `\nexport const validators = { ${entries.join(', ')} }\n`
}
