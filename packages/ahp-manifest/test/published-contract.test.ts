import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyPatch, loadDocumentVectors, projectRoot } from '@internal/vectors'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineManifest, type ManifestInput } from '../src/index.js'
import { manifestSchemaIssues } from '../src/manifest/manifest-issues.js'
import { messageIssues } from '../src/messages/message-issues.js'
import { MESSAGE_KINDS, type MessageKind } from '../src/kinds.js'

describe.each(['manifest', ...MESSAGE_KINDS])('verdicts on %s', (kind) => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false })
  addFormats.default(ajv)
  const published = ajv.compile(schema(`v0.1/${kind}`))

  it('equal those of the published schema on documents changed anywhere', () => {
    const documents = loadDocumentVectors('0.1', kind, 'ahp').map(({ data }) => data)
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
          expect(issuesOf(kind, data).length === 0).toBe(published(data))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the schemas published with the draft', () => {
  const draft = (kind: string): ((data: unknown) => boolean) => {
    const ajv = new Ajv({ strict: false })
    addFormats.default(ajv)
    return ajv.compile(schema(`draft-0.1/${kind}`))
  }
  const valid = (kind: string): unknown[] =>
    loadDocumentVectors('0.1', kind, 'ahp').flatMap((vector) => (vector.valid ? [vector.data] : []))

  it('accept exactly the requests that ours accepts', () => {
    const accepts = draft('request')
    for (const { data, valid, name } of loadDocumentVectors('0.1', 'request', 'ahp'))
      expect(accepts(data), name).toBe(valid)
  })

  it('accept every manifest that ours accepts, without integrations and auth_required', () => {
    const accepts = draft('manifest')
    for (const data of valid('manifest')) {
      const { integrations: _, ...manifest } = data as { integrations?: unknown; capabilities?: object[] }
      const capabilities = manifest.capabilities?.map(
        ({ auth_required: __, ...capability }: { auth_required?: unknown }) => capability,
      )
      expect(accepts(capabilities === undefined ? manifest : { ...manifest, capabilities })).toBe(true)
    }
  })

  it('accept every response that is sent, but failed and expired', () => {
    const accepts = draft('response')
    for (const data of valid('response')) {
      const { status, progress } = data as { status: string; progress?: unknown }
      const isPendingNull = status === 'pending' && progress === null
      expect(accepts(data), JSON.stringify(data)).toBe(
        !['failed', 'expired'].includes(status) && !isPendingNull,
      )
    }
  })

  it('take a success with a session for pending work too, unless progress is null', () => {
    const accepts = draft('response')
    const success = { status: 'success', session_id: 's', response: { answer: 'Yes.' } }
    expect(accepts(success)).toBe(false)
    expect(accepts({ ...success, progress: null })).toBe(true)
    expect(issuesOf('response', { ...success, progress: null })).toEqual([])
  })

  it('accept what defineManifest makes with schema01Strict, whatever it is made from', () => {
    const accepts = draft('manifest')
    fc.assert(
      fc.property(manifestInputs(), (input) => {
        const manifest = defineManifest(input, { baseUrl: 'https://site.example', schema01Strict: true })
        expect(accepts(manifest)).toBe(true)
        expect(issuesOf('manifest', manifest)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

function manifestInputs(): fc.Arbitrary<ManifestInput> {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/)
  const answering = fc.record({
    description: fc.string({ maxLength: 100 }),
    mode: fc.constant('MODE2' as const),
    accept_fallback: fc.boolean(),
    auth_required: fc.boolean(),
  })
  const acting = fc.record({
    description: fc.string({ maxLength: 100 }),
    mode: fc.constant('MODE3' as const),
    action_type: fc.constantFrom('query' as const, 'action' as const, 'async' as const),
    input_schema: fc.constant({ type: 'object' }),
    output_schema: fc.constant({}),
  })
  return fc
    .record({
      names: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      first: answering,
      others: fc.array(fc.oneof(answering, acting), { minLength: 3, maxLength: 3 }),
      signals: fc.record({
        ai_train: fc.boolean(),
        ai_input: fc.boolean(),
        search: fc.boolean(),
        attribution_required: fc.boolean(),
      }),
      authentication: fc.constantFrom('bearer' as const, 'api_key' as const),
      isStatic: fc.boolean(),
    })
    .map(({ names, first, others, signals, authentication, isStatic }): ManifestInput => ({
      name: 'Site',
      content_signals: signals,
      integrations: { mcp: { url: '/mcp', version: '2025-06-18' } },
      ...(isStatic
        ? {}
        : {
            authentication,
            rate_limits: { unauthenticated: { requests: '30/minute' } },
            capabilities: names.map((own, index) => ({
              ...(index === 0 ? first : (others[index - 1] ?? first)),
              name: own,
            })),
          }),
    }))
}

function issuesOf(kind: string, data: unknown): readonly unknown[] {
  return kind === 'manifest' ? manifestSchemaIssues(data) : messageIssues(kind as MessageKind, data)
}

function schema(path: string): object {
  return JSON.parse(readFileSync(join(projectRoot, 'schemas/ahp', `${path}.schema.json`), 'utf8')) as object
}

function placesOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([key, child]) =>
    placesOf(child, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [path, ...inside]
}
