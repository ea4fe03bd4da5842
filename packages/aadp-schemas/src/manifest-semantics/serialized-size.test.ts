import fc from 'fast-check'
import { expect, it } from 'vitest'
import { serializedSize } from './serialized-size.js'

it('serializedSize counts the bytes of the shortest JSON text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const parsed: unknown = JSON.parse(JSON.stringify(value))
      expect(serializedSize(parsed, Infinity)).toBe(Buffer.byteLength(JSON.stringify(parsed)))
    }),
  )
})

it('serializedSize stops counting beyond its limit, also in a value that contains itself', () => {
  const endless: unknown[] = []
  endless.push(endless, endless)
  expect(serializedSize(endless, 1000)).toBeGreaterThan(1000)
  expect(serializedSize(endless, 1000)).toBeLessThan(1010)
})
