import { checksumOf, isCanonicalJsonError } from '@doorplate/aadp-schemas/canonical-json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsedChecksum } from './parsed-checksum.js'

/** What a checksum function makes of a JSON text: a checksum, or the code of its refusal. */
function verdict(checksum: (value: unknown) => string, text: string): string {
  try {
    return checksum(JSON.parse(text))
  } catch (error) {
    if (isCanonicalJsonError(error)) return error.code
    throw error
  }
}

describe('parsedChecksum', () => {
  it.each([
    ['members in order', '{"a":1,"b":[{"c":"d","e":null}]}'],
    ['members out of order', '{"b":1,"a":2}'],
    ['members out of order further in', '{"a":[{"z":1,"y":2}]}'],
    ['integer keys, which every object lists by number', '{"10":1,"9":2}'],
    ['integer keys beside others', '{"-":1,"1":2}'],
    ['integer keys in order', '{"1":1,"2":2,"a":3}'],
    ['keys in the order of code units, not of code points', '{"\ud83d\ude00":1,"\uff5e":2}'],
    ['__proto__ as a key', '{"__proto__":{"b":1,"a":2}}'],
    ['a key toJSON', '{"toJSON":1}'],
    ['other spellings of numbers', '[1.0,1e2,-0,1E-7]'],
    ['other spellings of text', '["\\u0061\\/"]'],
    ['a number too large to be finite', '{"a":1e999}'],
    ['a surrogate that stands alone', '{"a":"\\ud800"}'],
    ['a surrogate that stands alone in a key', '{"\\udc00":1}'],
    ['text that spells out an escape', '{"a":"\\\\ud800"}'],
    ['members twice', '{"a":1,"a":2}'],
    ['63 levels', '['.repeat(63) + ']'.repeat(63)],
    ['65 levels', '['.repeat(65) + ']'.repeat(65)],
    ['1,001 levels', '['.repeat(1_001) + ']'.repeat(1_001)],
    ['1,002 levels of objects', '{"a":'.repeat(1_002) + '1' + '}'.repeat(1_002)],
  ])('agrees with the checksum of an ordered copy: %s', (_, text) => {
    expect(verdict(parsedChecksum, text)).toBe(verdict(checksumOf, text))
  })

  it('agrees for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary', maxDepth: 4 }), (text) => {
        expect(verdict(parsedChecksum, text)).toBe(verdict(checksumOf, text))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([Object.prototype, Array.prototype])('lets no toJSON of a prototype in', (prototype) => {
    const before = verdict(parsedChecksum, '{"a":1}')
    Object.defineProperty(prototype, 'toJSON', { value: () => 'forged', configurable: true })
    try {
      expect(verdict(parsedChecksum, '{"a":1}')).toBe(verdict(checksumOf, '{"a":1}'))
      expect([before, 'to_json_method']).toContain(verdict(parsedChecksum, '{"a":1}'))
    } finally {
      delete (prototype as { toJSON?: unknown }).toJSON
    }
  })
})
