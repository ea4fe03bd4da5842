import { canonicalize } from '@doorplate/aadp-schemas/canonical-json'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameJson } from './same-json.js'

function parse(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

test('a value is the same as its JSON, and not as another', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isSameJson(parse(one), parse(one))).toBe(true)
      expect(isSameJson(parse(one), parse(other))).toBe(canonicalize(one) === canonicalize(other))
    }),
  )
})

test.each<[string, unknown, unknown]>([
  ['a Date', new Date(0), {}],
  ['a Map', new Map(), {}],
  [
    'a class instance',
    new (class Thing {
      readonly size = 1
    })(),
    { size: 1 },
  ],
  ['undefined in an array', [undefined], [null]],
  ['a hole', new Array(1), [null]],
  ['an undefined member', { a: undefined }, {}],
  ['an array for an object', [], {}],
  ['an object for an array', {}, []],
  ['NaN', NaN, null],
  ['an inherited member', Object.create({ a: 1 }) as unknown, { a: 1 }],
  ['__proto__ for toString', JSON.parse('{"toString":1}'), JSON.parse('{"__proto__":1}')],
  ['nothing', undefined, {}],
])('%s is the same as no JSON', (_name, value, json) => {
  expect(isSameJson(value, json)).toBe(false)
})

test('what is undefined is the same as what is absent', () => {
  expect(isSameJson(undefined, undefined)).toBe(true)
})
