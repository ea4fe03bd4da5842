import libraryCanonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalize,
  checksumOf,
  isCanonicalJsonError,
  type CanonicalJsonErrorCode,
  type JsonValue,
} from '../src/canonical-json.js'

const RUNS = { numRuns: 1000 }

/** Keys that have broken canonicalizers: integers, names that objects inherit, surrogate pairs, controls. */
const key = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.nat().map(String),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', '', '0', '00', '-0', '4294967295', '1e3'),
  fc.constantFrom('\ud83d\ude00', '\uff21', '\uffff', '\u0000', '"', '\\', '\\ud800', '\u2028', 'e\u0301'),
)

const text = fc.oneof(key, fc.string({ unit: 'grapheme', minLength: 40, maxLength: 200 }))

const json = fc.letrec<{ value: JsonValue; object: JsonValue; array: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    ),
    tie('object'),
    tie('array'),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 8 })
    .map((members) => JSON.parse(objectText(members)) as JsonValue),
  array: fc.array(tie('value'), { maxLength: 6 }),
})).value

describe('canonicalize, for any JSON value,', () => {
  it('gives the bytes of the canonicalize library', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.jsonValue({ stringUnit: 'binary' })), (value) => {
        expect(canonicalize(value)).toBe(libraryCanonicalize(value))
      }),
      RUNS,
    )
  })

  it('gives the bytes of the canonicalize library at depth', () => {
    fc.assert(
      fc.property(json, fc.array(key, { minLength: 100, maxLength: 900 }), (value, keys) => {
        const deep = keys.reduce<unknown>(
          (inner, outer, i) => (i % 2 ? [inner] : member(outer, inner)),
          value,
        )
        expect(canonicalize(deep)).toBe(libraryCanonicalize(deep))
      }),
      { numRuns: 100 },
    )
  })

  it('loses nothing and changes nothing', () => {
    fc.assert(
      fc.property(json, (value) => {
        const before = JSON.stringify(value)
        const parsed: unknown = JSON.parse(canonicalize(value))
        expect(canonicalize(parsed)).toBe(canonicalize(value))
        expect(sizeOf(parsed)).toBe(sizeOf(value))
        expect(JSON.stringify(value)).toBe(before)
      }),
      RUNS,
    )
  })

  it('does not depend on the order of members', () => {
    const members = fc.uniqueArray(fc.tuple(key, json), { selector: ([name]) => name, maxLength: 12 })
    const twice = members.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(twice, ([list, shuffled]) => {
        const [left, right] = [list, shuffled].map((given): unknown => JSON.parse(objectText(given)))
        expect(canonicalize(right)).toBe(canonicalize(left))
        expect(checksumOf(right)).toBe(checksumOf(left))
      }),
      RUNS,
    )
  })
})

describe('canonicalize refuses', () => {
  const refused: Record<string, [CanonicalJsonErrorCode, () => unknown]> = {
    undefined: ['undefined_value', () => undefined],
    'a function': ['function_value', () => () => 0],
    'a symbol': ['symbol_value', () => Symbol('s')],
    'a bigint': ['bigint_value', () => 1n],
    NaN: ['non_finite_number', () => NaN],
    Infinity: ['non_finite_number', () => Infinity],
    'a lone high surrogate': ['lone_surrogate', () => 'x\ud800'],
    'a lone low surrogate': ['lone_surrogate', () => '\udfffx'],
    'a Date': ['unsupported_object', () => new Date()],
    'a Map': ['unsupported_object', () => new Map()],
    'a boxed string': ['unsupported_object', () => Object('s') as unknown],
    'a symbol key': ['symbol_key', () => ({ [Symbol('s')]: 1 })],
  }

  it.each(Object.entries(refused))('%s at any place, naming it', (_name, [code, make]) => {
    const place = fc.array(fc.oneof(key, fc.nat({ max: 5 })), { maxLength: 20 })
    fc.assert(
      fc.property(place, fc.array(json, { maxLength: 5 }), (keys, siblings) => {
        fc.pre(code !== 'function_value' || keys.at(-1) !== 'toJSON')
        const value = keys.reduceRight<unknown>((inner, outer) => {
          if (typeof outer === 'string') return member(outer, inner)
          return [...Array<unknown>(outer).fill(siblings[outer] ?? null), inner]
        }, make())
        const pointer = keys.map((k) => `/${String(k).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        expect(refusalOf(value)).toEqual([code, pointer])
      }),
      { numRuns: 200 },
    )
  })
})

/** Text of an object with these members; a later one replaces an earlier one of the same key. */
function objectText(members: readonly (readonly [string, unknown])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`
}

/** An object with one member, whatever its key. */
function member(name: string, value: unknown): object {
  return Object.defineProperty({}, name, { value, enumerable: true, writable: true, configurable: true })
}

/** How many values there are in a value, counting itself. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 1)
}

function refusalOf(value: unknown): [CanonicalJsonErrorCode, string] | undefined {
  try {
    canonicalize(value)
    return undefined
  } catch (error) {
    if (isCanonicalJsonError(error)) return [error.code, error.path]
    throw error
  }
}
