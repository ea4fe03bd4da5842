import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDataSchema, type SchemaOption } from './data-schema.js'

const JSON_SCHEMA = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 } },
  required: ['n'],
} as const

const FORMS: readonly (readonly [string, SchemaOption])[] = [
  ['JSON Schema', JSON_SCHEMA],
  ['JSON Schema of draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', ...JSON_SCHEMA }],
  ['Zod', z.object({ n: z.int().min(1) })],
  ['ArkType', type({ n: 'number.integer >= 1' })],
  ['Valibot', toStandardJsonSchema(v.object({ n: v.pipe(v.number(), v.integer(), v.minValue(1)) }))],
  [
    'a schema with its JSON Schema beside it',
    { standard: v.object({ n: v.pipe(v.number(), v.integer(), v.minValue(1)) }), jsonSchema: JSON_SCHEMA },
  ],
]

describe.each(FORMS)('%s', (_name, given) => {
  const schema = createDataSchema('inputSchema', given, 'input')

  it('describes an object for the manifest', () => {
    expect(schema.jsonSchema).toMatchObject({ type: 'object', required: ['n'] })
    expect(JSON.parse(JSON.stringify(schema.jsonSchema))).toEqual(schema.jsonSchema)
  })

  it('checks data, and says where it does not fit', async () => {
    expect(await schema.check({ n: 3 })).toEqual({ value: { n: 3 } })
    for (const wrong of [{}, { n: 0 }, { n: 1.5 }, { n: '1' }, { n: null }]) {
      const verdict = await schema.check(wrong)
      expect(verdict).not.toHaveProperty('value')
      expect(JSON.stringify(verdict)).toContain('n')
    }
  })
})

it('gives what a library makes of the data', async () => {
  const schema = createDataSchema('inputSchema', z.object({ n: z.coerce.number().default(7) }), 'input')
  expect(await schema.check({})).toEqual({ value: { n: 7 } })
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['a list', []],
  ['a schema of a list', { type: 'array' }],
  ['a schema of anything', {}],
  ['another draft', { $schema: 'https://json-schema.org/draft/2099-01/schema', type: 'object' }],
  ['a reference to nothing', { type: 'object', properties: {}, allOf: [{ $ref: '#/$defs/none' }] }],
  ['a library without JSON Schema', v.object({})],
  ['what JSON cannot say', z.object({ at: z.date() })],
])('refuses %s', (_what, given) => {
  expect(() => createDataSchema('inputSchema', given as SchemaOption, 'input')).toThrow(
    expect.objectContaining({ code: 'invalid_option', option: 'inputSchema' }) as Error,
  )
})
