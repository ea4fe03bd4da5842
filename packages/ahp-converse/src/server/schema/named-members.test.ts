import { expect, it } from 'vitest'
import { namedMembers } from './named-members.js'

const ORDER = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { sku: { type: 'string' } } },
    },
    free: { type: 'object' },
  },
} as const

it('leaves out what no schema names, at any depth', () => {
  const data = {
    id: '1',
    email: 'ann@example.org',
    lines: [{ sku: 'a', cost: 3 }, { sku: 'b' }],
    free: { anything: 1 },
  }
  expect(namedMembers(ORDER, data)).toEqual({
    id: '1',
    lines: [{ sku: 'a' }, { sku: 'b' }],
    free: { anything: 1 },
  })
})

it.each<[string, object]>([
  ['lets more through on purpose', { additionalProperties: true }],
  ['describes the rest', { additionalProperties: { type: 'number' } }],
  ['describes members by pattern', { patternProperties: { '^x': true } }],
  ['describes members elsewhere', { allOf: [{ properties: { more: true } }] }],
  ['describes all elsewhere', { $ref: '#/$defs/order' }],
])('leaves data as it is where the schema %s', (_what, more) => {
  const data = { id: '1', more: 2 }
  expect(namedMembers({ ...ORDER, ...more }, data)).toEqual(data)
})

it('takes names for what they are', () => {
  const data = JSON.parse('{"__proto__":{"a":1},"constructor":2,"id":"1"}') as object
  expect(Object.keys(namedMembers(ORDER, data) as object)).toEqual(['id'])
})
