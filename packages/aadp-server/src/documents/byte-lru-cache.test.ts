import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteLruCache } from './byte-lru-cache.js'

test('keeps what is used and drops what is not', () => {
  const cache = new ByteLruCache<number>(40)
  cache.set('used', 1, 4)
  cache.set('unused', 2, 4)
  for (let index = 0; index < 20; index++) {
    cache.get('used')
    cache.set(`other-${String(index)}`, index, 4)
  }
  expect(cache.get('used')).toBe(1)
  expect(cache.get('unused')).toBeUndefined()
})

test('an entry over half of the bound is not kept, and takes the place of what it replaces', () => {
  const cache = new ByteLruCache<number>(10)
  cache.set('a', 1, 5)
  cache.set('a', 2, 6)
  expect(cache.get('a')).toBeUndefined()
})

test('gives the latest value of a key or nothing, and never holds more than its bound', () => {
  const step = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fc.integer({ min: 1, max: 8 }),
    fc.boolean(),
  )
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const cache = new ByteLruCache<number>(20)
      const latest = new Map<string, [number, number]>()
      for (const [index, [key, bytes, isWrite]] of steps.entries()) {
        if (isWrite) {
          cache.set(key, index, bytes)
          latest.set(key, [index, bytes])
        }
        const value = cache.get(key)
        if (value !== undefined) expect(value).toBe(latest.get(key)?.[0])
        if (isWrite) expect(value).toBe(index)
      }
      const held = [...latest].filter(([key]) => cache.get(key) !== undefined)
      expect(held.length).toBeLessThanOrEqual(20)
    }),
  )
})
