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
  ['a reference to nothing further in', { type: 'object', properties: { n: { $ref: '#/$defs/none' } } }],
  ['a pattern that is none', { type: 'object', properties: { n: { type: 'string', pattern: '(' } } }],
  ['a pattern of names that is none', { type: 'object', patternProperties: { '[': true } }],
  ['the format url, which takes for ever', { type: 'object', properties: { n: { format: 'url' } } }],
  ['a pattern that takes for ever', { type: 'object', properties: { n: { pattern: '^(a+)+$' } } }],
  ['a pattern of names that takes for ever', { type: 'object', patternProperties: { '^(a|aa)+$': true } }],
  [
    'a pattern further in that takes for ever',
    { type: 'object', $defs: { n: { anyOf: [{ pattern: '^(a|b|ab)*c$' }] } } },
  ],
  ['a pattern that takes the cube', { type: 'object', properties: { n: { pattern: '(.*),(.*)$' } } }],
  ['a pattern of a library that takes for ever', z.object({ n: z.string().regex(/^(\w+\s?)*$/) })],
  [
    'a pattern that takes for ever beside a library',
    { standard: v.object({}), jsonSchema: { type: 'object', properties: { n: { pattern: '^(a*)*$' } } } },
  ],
  ['a library without JSON Schema', v.object({})],
  ['what JSON cannot say', z.object({ at: z.date() })],
])('refuses %s', (_what, given) => {
  expect(() => createDataSchema('inputSchema', given as SchemaOption, 'input')).toThrow(
    expect.objectContaining({ code: 'invalid_option', option: 'inputSchema' }) as Error,
  )
})

it('says in few words what is wrong, however much would be right', async () => {
  const values = Array.from({ length: 5_000 }, (_, index) => `value ${index}`)
  const schema = createDataSchema(
    'inputSchema',
    { type: 'object', properties: { n: { enum: values } } },
    'input',
  )
  const { issues } = (await schema.check({ n: 'none' })) as { readonly issues: readonly string[] }
  expect(issues[0]).toMatch(/^\/n: .*…$/)
  expect(issues[0]?.length).toBeLessThan(300)
})

it.each([
  [{ ordr: '7' }, ['/order: is missing', '/ordr: not a member of the input']],
  [{ order: '7', of: { by: 'x' } }, ['/of/name: is missing', '/of/by: not a member of the input']],
  [{}, ['/order: is missing']],
  [{ order: 7 }, ['/order: Instance type "number" is invalid. Expected "string".']],
  [{ order: '7', list: ['a', 'b'] }, ['/list/1: not a member of the input']],
])('says of %j which members it lacks and which there are not', async (data, issues) => {
  const of = { type: 'object', properties: { name: {} }, required: ['name'], additionalProperties: false }
  const list = { type: 'array', prefixItems: [{}], items: false }
  const schema = { properties: { order: { type: 'string' }, of, list }, required: ['order'] }
  const input = createDataSchema(
    'inputSchema',
    { type: 'object', ...schema, additionalProperties: false },
    'input',
  )
  expect(await input.check(data)).toEqual({ issues })
})

it('matches no text with a pattern that is too long for it, and names neither', async () => {
  const schema = { type: 'object', properties: { n: { pattern: '[a-z]+@[a-z]+' } } }
  const input = createDataSchema('inputSchema', schema, 'input')
  expect(await input.check({ n: `a@${'b'.repeat(2046)}` })).toHaveProperty('value')
  for (const wrong of [{ n: 'a'.repeat(2049) }, { other: ['a'.repeat(2049)] }, { ['a'.repeat(2049)]: 1 }])
    expect(await input.check(wrong)).toEqual({ issues: ['a text must have at most 2048 characters'] })
  const linear = createDataSchema(
    'inputSchema',
    { type: 'object', properties: { n: { pattern: '^[a-z]+$' } } },
    'input',
  )
  expect(await linear.check({ n: 'a'.repeat(8000) })).toHaveProperty('value')
})

it('takes references and patterns that there are, by pointer, anchor and id', async () => {
  const schema = createDataSchema(
    'inputSchema',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/word' }, b: { $ref: '#word' }, c: { $ref: 'word.json' } },
      patternProperties: { '^x-': { $ref: '#/$defs/word' } },
      $defs: {
        word: { $anchor: 'word', type: 'string', pattern: '^\\p{L}+$' },
        other: { $id: 'word.json', type: 'string' },
      },
    },
    'input',
  )
  expect(await schema.check({ a: 'é', b: 'b', c: '1', 'x-1': 'x' })).toHaveProperty('value')
  expect(await schema.check({ a: '1' })).not.toHaveProperty('value')
})
