import { describeWithCases } from '@internal/vectors'
import { expect, it } from 'vitest'
import { canonicalize, checksumOf, isCanonicalJsonError } from '../src/canonical-json.js'

/** What each field report asks for; the key is its id. */
const checks: Readonly<Record<string, () => void>> = {
  'JC-01': () => {
    expect(codeOf({ a: '\ud800' })).toBe('lone_surrogate')
    expect(codeOf({ '\ud800': 1 })).toBe('lone_surrogate')
  },
  'JC-04': () => {
    expect([[NaN], [Infinity], { a: -Infinity }].map(codeOf)).toEqual(Array(3).fill('non_finite_number'))
  },
  'JC-05': () => {
    const values = [{ a: undefined, b: 1 }, [undefined, 1], undefined]
    expect(values.map(codeOf)).toEqual(Array(3).fill('undefined_value'))
  },
  'JC-09': () => {
    expect(canonicalize({ '\uff21': 1, '\ud800\udc00': 2 })).toBe('{"\ud800\udc00":2,"\uff21":1}')
  },
  'JC-12': () => {
    const text = '{"__proto__":{"a":1},"constructor":1,"toString":2,"hasOwnProperty":3}'
    expect(canonicalize(JSON.parse(text))).toBe(
      '{"__proto__":{"a":1},"constructor":1,"hasOwnProperty":3,"toString":2}',
    )
    expect(({} as { a?: unknown }).a).toBeUndefined()
  },
  'JC-14': () => {
    // eslint-disable-next-line no-loss-of-precision -- the report is about just such a number
    expect(canonicalize([9007199254740993, 1e300, '\u2028\u2029\u007f'])).toBe(
      '[9007199254740992,1e+300,"\u2028\u2029\u007f"]',
    )
  },
  'JC-15': () => {
    expect(canonicalize(JSON.parse('[295147905179352825856]'))).toBe('[295147905179352830000]')
  },
  'JC-16': () => {
    expect(codeOf(JSON.parse('[1e500]'))).toBe('non_finite_number')
  },
  'JC-17': () => {
    expect(canonicalize(JSON.parse('[1e20,1e21,1e-6,1e-7,-0,0.0,-0.0,4.50,2e-3,1E30]'))).toBe(
      '[100000000000000000000,1e+21,0.000001,1e-7,0,0,0,4.5,0.002,1e+30]',
    )
  },
  'JC-18': () => {
    expect(codeOf(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe('too_deep')
  },
  'JC-19': () => {
    const stems = ['a', '\uffff', '\ud83d\ude00', '']
    const keys = Array.from({ length: 1000 }, (_, n) => `${stems[n % 4] ?? ''}${n}`)
    const sorted = [...keys].sort().map((key) => `${JSON.stringify(key)}:0`)
    expect(canonicalize(Object.fromEntries(keys.map((key) => [key, 0])))).toBe(`{${sorted.join()}}`)
  },
  'JC-20': () => {
    const values = [
      [() => 0],
      { a: Symbol('a') },
      { a: 1n },
      new Map([['a', 1]]),
      Object.create({ a: 1 }) as unknown,
    ]
    expect([...values, new Array<number>(2).fill(1, 1)].map(codeOf)).toEqual([
      'function_value',
      'symbol_value',
      'bigint_value',
      'unsupported_object',
      'unsupported_object',
      'array_hole',
    ])
  },
  'JC-22': () => {
    const texts = ['{"n":1756703600000.0}', '{"n":1.7567036e12}', '{"n":1756703600000}']
    expect(new Set(texts.map((text) => canonicalize(JSON.parse(text))))).toEqual(
      new Set(['{"n":1756703600000}']),
    )
    expect(new Set(texts.map((text) => checksumOf(JSON.parse(text)))).size).toBe(1)
  },
  'JC-23': () => {
    expect(canonicalize(JSON.parse('{"data":{"__proto__":1}}'))).toBe('{"data":{"__proto__":1}}')
  },
}

describeWithCases('field reports on canonical JSON', 'aadp-schemas', (reports) => {
  it.each(reports.filter(({ area }) => area === 'jcs'))('$id: $symptom', ({ id }) => {
    const check = checks[id]
    if (check === undefined) throw new Error(`No check covers ${id}.`)
    check()
  })
})

function codeOf(value: unknown): string {
  try {
    return canonicalize(value)
  } catch (error) {
    if (isCanonicalJsonError(error)) return error.code
    throw error
  }
}
