import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyPatch, loadDocumentVectors, projectRoot } from '@internal/vectors'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KINDS, SUPPORTED_VERSIONS, validateDocument } from '../src/index.js'

describe.each(SUPPORTED_VERSIONS.flatMap((version) => KINDS.map((kind) => ({ version, kind }))))(
  'verdicts on $version $kind',
  ({ version, kind }) => {
    const ajv = new Ajv2020({ strict: true })
    addFormats.default(ajv)
    const published = ajv.compile(publishedSchema(version, kind))

    it('equal those of the published schema on documents changed anywhere', () => {
      const documents = loadDocumentVectors(version, kind).map(({ data }) => data)
      fc.assert(
        fc.property(
          fc.constantFrom(...documents),
          fc.nat(),
          fc.jsonValue(),
          fc.constantFrom('replace', 'remove'),
          (document, seed, value, op) => {
            const places = placesOf(document, '')
            const path = places[seed % places.length] ?? ''
            const change =
              op === 'remove' && path !== ''
                ? ({ op: 'remove', path } as const)
                : ({ op: 'replace', path, value } as const)
            const data = applyPatch(document, [change])
            expect(validateDocument({ version, kind, data }).valid).toBe(published(data))
          },
        ),
        { numRuns: 300 },
      )
    })
  },
)

function publishedSchema(version: string, kind: string): object {
  const path = join(projectRoot, 'schemas/aadp', `v${version}`, `${kind}.schema.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as object
}

function placesOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([key, child]) =>
    placesOf(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [path, ...inside]
}
