import fc from 'fast-check'
import { expect, it } from 'vitest'
import { serializedSize } from './serialized-size.js'

it('serializedSize counts the bytes of the shortest JSON text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const parsed: unknown = JSON.parse(JSON.stringify(value))
      expect(serializedSize(parsed)).toBe(Buffer.byteLength(JSON.stringify(parsed)))
    }),
  )
})
