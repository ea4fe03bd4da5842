import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { projectRoot } from './directories.js'
import { loadDocumentVectors, type DocumentVectorEntry } from './document-vectors.js'
import { loadRequirements } from './load-requirements.js'
import { loadVectors } from './load-vectors.js'

const aadpKinds = ['manifest', 'sitemap-index', 'sitemap', 'entity', 'error']
const ahpPayloads = ['data', 'feed', 'video', 'audio', 'image', 'download', 'action-result']
const ahpKinds = ['manifest', 'request', 'response', ...ahpPayloads.map((name) => `payload-${name}`)]
const documents = [
  ...aadpKinds.map((kind) => ({ protocol: 'aadp' as const, version: '0.1', kind })),
  ...aadpKinds.map((kind) => ({ protocol: 'aadp' as const, version: '1.0', kind })),
  ...ahpKinds.map((kind) => ({ protocol: 'ahp' as const, version: '0.1', kind })),
]

/**
 * A security scheme without a known type, and a response without a known status, is reported where it stands. That the
 * type or status is wrong can therefore only be seen as "none of the alternatives".
 */
const placesReportedAbove = ['/security_schemes/*/type', '/status']

describe.each(documents)('the vectors of $protocol $version $kind', ({ protocol, version, kind }) => {
  const entries = loadVectors<DocumentVectorEntry[]>(`${protocol}/v${version}/${kind}.json`)
  const vectors = loadDocumentVectors(version, kind, protocol)
  const schema = readSchema(protocol, version, kind)
  const validate = compile(schema)
  const explain = compile(withDiscriminator(schema))

  it('have names of their own', () => {
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length)
  })

  it('are whole where they are valid bases, and one change away from a valid base elsewhere', () => {
    const whole = new Map<string, boolean>()
    for (const entry of entries) {
      whole.set(entry.name, 'data' in entry)
      if ('data' in entry) expect(entry, entry.name).toMatchObject({ valid: true })
      else {
        expect(entry.patch, entry.name).toHaveLength(1)
        expect(whole.get(entry.base), entry.name).toBe(true)
      }
    }
  })

  it('have the verdict of the schema', () => {
    const wrong = vectors.filter(({ valid, data }) => validate(data) !== valid)
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('break the schema at the named place only', () => {
    for (const vector of vectors) {
      if (vector.valid) continue
      explain(vector.data)
      const places = (explain.errors ?? []).map(placeOf)
      expect(places, vector.name).toContain(vector.pointer)
      for (const place of places) expect(`${place}/`.startsWith(`${vector.pointer}/`), vector.name).toBe(true)
    }
  })

  it('name the rule of that place, or of the nearest place around it', () => {
    const rules = placeRules(protocol, version, kind)
    for (const vector of vectors) {
      if (!vector.valid) expect(vector.rule, vector.name).toBe(ruleAround(vector.pointer, rules))
    }
  })

  it('break every rule that the schema checks', () => {
    const broken = new Set(vectors.map((vector) => (vector.valid ? undefined : vector.rule)))
    const untouched = [...placeRules(protocol, version, kind)].filter(([, rule]) => !broken.has(rule))
    expect(untouched.map(([place]) => place).filter((place) => !placesReportedAbove.includes(place))).toEqual(
      [],
    )
  })

  it('have every member that the specification names in a valid document', () => {
    const whole = entries.filter((entry) => 'data' in entry).map(({ data }) => data)
    const absent = [...placeRules(protocol, version, kind).keys()].filter(
      (place) => !whole.some((data) => occurs(data, place)),
    )
    expect(absent).toEqual([])
  })
})

/** The rules that the schema checks, by place; the root is the empty place. */
function placeRules(protocol: string, version: string, kind: string): Map<string, string> {
  const rules = loadRequirements(`${protocol}/v${version}`).filter(({ subject }) => subject === kind)
  return new Map(
    rules.flatMap(({ id, place }) => {
      if (place === '(root)') return [['', id]]
      return place?.startsWith('/') ? [[place, id]] : []
    }),
  )
}

function ruleAround(pointer: string, rules: ReadonlyMap<string, string>): string | undefined {
  let place = ''
  for (const token of pointer.split('/').slice(1)) {
    const next = [`${place}/${token}`, `${place}/*`].find((candidate) => rules.has(candidate))
    if (next === undefined) break
    place = next
  }
  return rules.get(place)
}

/** A missing or unwanted member is named itself, not the object around it. */
function placeOf({ instancePath, params, propertyName }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>
  const member =
    missingProperty ?? additionalProperty ?? (params['propertyName'] as string | undefined) ?? propertyName
  return member === undefined ? instancePath : `${instancePath}/${member}`
}

/** True when the document has a value at the place, `*` standing for any item or member. */
function occurs(document: unknown, place: string): boolean {
  let values = [document]
  for (const token of place.split('/').slice(1)) {
    const objects = values.filter((value) => typeof value === 'object' && value !== null)
    values = objects.flatMap((object) =>
      Object.entries(object).flatMap(([key, value]) =>
        token === '*' || token === key ? [value as unknown] : [],
      ),
    )
  }
  return values.length > 0
}

function readSchema(protocol: string, version: string, kind: string): AnySchemaObject {
  const path = join(projectRoot, 'schemas', protocol, `v${version}`, `${kind}.schema.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as AnySchemaObject
}

/** Lets ajv report the alternative that a security scheme or a response names instead of all of them. */
function withDiscriminator(schema: AnySchemaObject): AnySchemaObject {
  if (schema['oneOf'] !== undefined)
    return { ...schema, type: 'object', discriminator: { propertyName: 'status' }, required: ['status'] }
  const { $defs } = schema as { $defs?: Record<string, object> }
  if ($defs?.['securityScheme'] === undefined) return schema
  const securityScheme = {
    ...$defs['securityScheme'],
    type: 'object',
    discriminator: { propertyName: 'type' },
    required: ['type'],
  }
  return { ...schema, $defs: { ...$defs, securityScheme } }
}

function compile(schema: AnySchemaObject): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, discriminator: true })
  addFormats.default(ajv)
  return ajv.compile(schema)
}
