import fc from 'fast-check'
import { expect, it } from 'vitest'

import { parseRetryAfter } from './retry-after.js'

const NOW_MS = Date.parse('2026-06-15T12:00:00Z')

it.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['007', 7_000],
  ['9007199254740', 9_007_199_254_740_000],
  ['99999999999999999999', Infinity],
  ['Mon, 15 Jun 2026 12:00:30 GMT', 30_000],
  ['Monday, 15-Jun-26 12:00:30 GMT', 30_000],
  ['Mon Jun 15 12:00:30 2026', 30_000],
  ['Sunday, 15-Jun-80 12:00:00 GMT', 0],
  ['Mon, 01 Jan 0001 00:00:00 GMT', 0],
  ['-1', null],
  ['1.5', null],
  ['', null],
  ['Mon, 15 Jun 2026 12:00:30 UTC', null],
  ['15 Jun 2026', null],
  ['Mon, 31 Jun 2026 12:00:00 GMT', null],
  ['Mon, 15 Jun 2026 24:00:00 GMT', null],
  ['2026-06-15T12:00:30Z', null],
])('%j asks for %s ms', (value, expected) => {
  expect(parseRetryAfter(value, NOW_MS)).toBe(expected)
})

it('what toUTCString writes is read back', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      const wholeMs = Math.floor(date.getTime() / 1_000) * 1_000
      expect(parseRetryAfter(date.toUTCString(), NOW_MS)).toBe(Math.max(wholeMs - NOW_MS, 0))
    }),
  )
})

it('any text gives a delay that is not negative, or none', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const delayMs = parseRetryAfter(text, NOW_MS)
      expect(delayMs === null || delayMs >= 0).toBe(true)
    }),
  )
})
