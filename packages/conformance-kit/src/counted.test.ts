import { expect, it } from 'vitest'
import { counted } from './counted.js'

it.each([
  [0, '0 entities'],
  [1, '1 entity'],
  [2, '2 entities'],
])('%d: %s', (count, text) => {
  expect(counted(count, 'entity', 'entities')).toBe(text)
})

it('makes a regular plural', () => {
  expect([counted(1, 'request'), counted(5, 'request')]).toEqual(['1 request', '5 requests'])
})
