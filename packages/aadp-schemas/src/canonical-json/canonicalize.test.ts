import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { isCanonicalJsonError, type CanonicalJsonErrorCode } from './canonical-json-error.js'
import { canonicalize } from './canonicalize.js'

describe('canonicalize', () => {
  it('sorts members by UTF-16 code units at every level', () => {
    const value = { b: [{ d: 1, c: 2 }], '\uff21': 1, '\ud800\udc00': 2, a: '', '': null }
    expect(canonicalize(value)).toBe('{"":null,"a":"","b":[{"c":2,"d":1}],"\ud800\udc00":2,"\uff21":1}')
  })

  it('sorts integer keys as text, not by number', () => {
    const value = { 10: 'ten', 9: 'nine', b: { 1: [], '-1': {}, '01': 0 }, a: true }
    expect(canonicalize(value)).toBe('{"10":"ten","9":"nine","a":true,"b":{"-1":{},"01":0,"1":[]}}')
  })

  it('gives one text for one list of keys in any order, seen before or not', () => {
    const texts = new Set([
      canonicalize({ a: 1, b: 2, c: 3 }),
      canonicalize({ c: 3, b: 2, a: 1 }),
      canonicalize({ c: 3, a: 1, b: 2 }),
      canonicalize({ a: 1, b: 2, c: 3 }),
    ])
    expect([...texts]).toEqual(['{"a":1,"b":2,"c":3}'])
  })

  it('keeps lists of keys apart that look alike', () => {
    expect(canonicalize([{ ax: 1, bx: 2, cx: 3 }, { ax: 1, ay: 2, cx: 3 }, {}, { '': 1 }])).toBe(
      '[{"ax":1,"bx":2,"cx":3},{"ax":1,"ay":2,"cx":3},{},{"":1}]',
    )
  })

  it('takes any object without a prototype, frozen objects and shared objects', () => {
    const shared = Object.freeze({ x: 1 })
    const bare = Object.assign(Object.create(null) as object, { b: shared, a: shared })
    expect(canonicalize([bare, shared])).toBe('[{"a":{"x":1},"b":{"x":1}},{"x":1}]')
  })

  it('takes arrays and objects of another realm', () => {
    expect(canonicalize(runInNewContext('({ b: [1, { d: [], c: {} }], a: null })'))).toBe(
      '{"a":null,"b":[1,{"c":{},"d":[]}]}',
    )
  })

  it('takes a text that spells out the escape of a surrogate', () => {
    expect(canonicalize({ '\\ud800': '\\udfff' })).toBe('{"\\\\ud800":"\\\\udfff"}')
  })

  it('takes 1,000 levels and refuses one more', () => {
    expect(canonicalize(nest(1000))).toBe('['.repeat(1000) + ']'.repeat(1000))
    expect(refusalOf(nest(1001))).toEqual({ code: 'too_deep', path: '/0'.repeat(1000) })
  })

  it.each([100_000, 1_000_000])('refuses %i levels without exhausting the stack', (levels) => {
    expect(refusalOf(nest(levels)).code).toBe('too_deep')
    expect(refusalOf(nest(levels, (inner) => ({ a: inner }))).code).toBe('too_deep')
  })
})

describe('canonicalize refuses', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = [cycle]
  const longSparse: unknown[] = []
  longSparse[4_000_000_000] = 1
  const own = (target: object, key: PropertyKey, descriptor: PropertyDescriptor): object =>
    Object.defineProperty(target, key, descriptor)
  const cases: [CanonicalJsonErrorCode, string, unknown][] = [
    ['undefined_value', '', undefined],
    ['undefined_value', '/a', { a: undefined }],
    ['undefined_value', '/0', [undefined]],
    ['undefined_value', '/a', own({}, 'a', { get: undefined as never, enumerable: true })],
    ['function_value', '', () => 0],
    ['function_value', '/a/0', { a: [Date] }],
    ['symbol_value', '/a', { a: Symbol.iterator }],
    ['bigint_value', '/a', { a: 1n }],
    ['non_finite_number', '/0', [NaN]],
    ['non_finite_number', '/a', { a: -Infinity }],
    ['lone_surrogate', '', '\ud800'],
    ['lone_surrogate', '/a/1', { a: ['\ud83d\ude00', 'x\udfff\ud800'] }],
    ['lone_surrogate', '/b/\udc00', { '\ud83d\ude00': 1, b: { '\udc00': 2 } }],
    ['lone_surrogate', '/7/a', { 7: { a: '\ud800' } }],
    ['array_hole', '/1', new Array<number>(3).fill(0, 0, 1)],
    ['array_hole', '/0', longSparse],
    ['array_hole', '/1', Object.assign([1], { length: 3 }, { 2: 3, extra: 4 })],
    ['extra_array_property', '/extra', Object.assign([1], { extra: 2 })],
    ['extra_array_property', '/a/index', { a: /a/.exec('a') }],
    ['symbol_key', '/a', { a: { [Symbol.toStringTag]: 'x' } }],
    ['symbol_key', '', Object.assign([], { [Symbol.iterator]: 1 })],
    ['symbol_key', '', Math],
    ['accessor_property', '/a', { get a() { return 1 } }], // prettier-ignore
    ['accessor_property', '/a', own({}, 'a', { set: () => {}, enumerable: true })],
    ['accessor_property', '/1', own([1, 2], 1, { get: () => 1, enumerable: true })],
    ['accessor_property', '/7', own({}, 7, { get: () => 1, enumerable: true })],
    ['non_enumerable_property', '/a', own({}, 'a', { value: 1 })],
    ['non_enumerable_property', '/1', own([1, 2], 1, { value: 2, enumerable: false })],
    ['unsupported_object', '/0', [new Date(0)]],
    ['unsupported_object', '/m', { m: new Map([['a', 1]]) }],
    ['unsupported_object', '', new Set([1])],
    ['unsupported_object', '', Object(1)],
    ['unsupported_object', '', Object('text')],
    ['unsupported_object', '', new (class Point { x = 1 })()], // prettier-ignore
    ['unsupported_object', '', new (class List extends Array<number> {})()],
    ['unsupported_object', '', Object.setPrototypeOf([1], [])],
    ['unsupported_object', '', Object.setPrototypeOf([1], null)],
    ['unsupported_object', '', Object.create({ a: 1 })],
    ['unsupported_object', '', Object.create(Object.create(null) as object)],
    ['unsupported_object', '', new Uint8Array(1)],
    ['unsupported_object', '', new Error('x')],
    ['unsupported_object', '', runInNewContext('new Date(0)')],
    ['unsupported_object', '', runInNewContext('new (class extends Array {})()')],
    ['to_json_method', '/a/toJSON', { a: { toJSON: () => 1 } }],
    ['cycle', '/self/0', cycle],
  ]

  it.each(cases)('%s at "%s"', (code, path, value) => {
    expect(refusalOf(value)).toEqual({ code, path })
  })

  it('escapes keys in the path (RFC 6901)', () => {
    expect(refusalOf({ 'a/b~c': [undefined] }).path).toBe('/a~1b~0c/0')
  })

  it('never runs a getter', () => {
    const trap = { get a(): never { throw new Error('ran') } } // prettier-ignore
    expect(refusalOf(trap).code).toBe('accessor_property')
  })

  it('any value while toJSON is defined on a shared prototype', () => {
    Object.defineProperty(Object.prototype, 'toJSON', { value: () => 'replaced', configurable: true })
    try {
      expect(refusalOf({ a: 1 })).toEqual({ code: 'to_json_method', path: '' })
    } finally {
      delete (Object.prototype as { toJSON?: unknown }).toJSON
    }
    expect(canonicalize({ a: 1 })).toBe('{"a":1}')
  })

  it('keeps keys apart from what a shared prototype inherits to the copy', () => {
    Object.defineProperty(Object.prototype, 'polluted', { set: () => {}, configurable: true })
    try {
      const value: unknown = JSON.parse('{"polluted":1,"a":{"polluted":{"b":2}}}')
      expect(canonicalize(value)).toBe('{"a":{"polluted":{"b":2}},"polluted":1}')
    } finally {
      delete (Object.prototype as { polluted?: unknown }).polluted
    }
  })
})

describe('canonicalize reads a Proxy', () => {
  it('like the object behind it', () => {
    expect(canonicalize(new Proxy({ b: new Proxy([1], {}), a: 2 }, {}))).toBe('{"a":2,"b":[1]}')
  })

  it('once for each property, and writes what it checked', () => {
    let reads = 0
    const changing = new Proxy([0], {
      get: (target, key) => (key === '0' && reads++ > 0 ? undefined : (Reflect.get(target, key) as unknown)),
    })
    expect(canonicalize({ a: changing })).toBe('{"a":[0]}')
    expect(reads).toBe(1)
  })

  it('and refuses keys that it does not have', () => {
    const lying = new Proxy({}, { ownKeys: () => ['a'] })
    expect(refusalOf(lying)).toEqual({ code: 'non_enumerable_property', path: '/a' })
  })

  it('and passes on what its traps throw', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(() => canonicalize([proxy])).toThrow(/revoked/)
  })
})

describe('CanonicalJsonError', () => {
  it('quotes a short, escaped piece of the path only', () => {
    const error = errorOf({ ['\u001b[31m' + 'k'.repeat(500)]: undefined })
    expect(error.message.length).toBeLessThan(220)
    expect(error.message).not.toContain('\u001b')
    expect(error.path).toHaveLength(506)
    expect(error.name).toBe('CanonicalJsonError')
    expect(error).toBeInstanceOf(TypeError)
  })

  it('is told from other values', () => {
    expect([new TypeError('x'), null, undefined, 'x', {}].some(isCanonicalJsonError)).toBe(false)
  })
})

function nest(levels: number, wrap: (inner: unknown) => unknown = (inner) => [inner]): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = wrap(value)
  return value
}

function refusalOf(value: unknown): { code: CanonicalJsonErrorCode; path: string } {
  const { code, path } = errorOf(value)
  return { code, path }
}

function errorOf(value: unknown) {
  try {
    canonicalize(value)
  } catch (error) {
    if (isCanonicalJsonError(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}
