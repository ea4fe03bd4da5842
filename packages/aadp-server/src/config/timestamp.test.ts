import { runInNewContext } from 'node:vm'
import { validateDocument } from '@doorplate/aadp-schemas'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTimestamp } from './timestamp.js'

test.each([
  ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
  ['2026-01-01T01:30:00.25+01:30', Date.UTC(2026, 0, 1, 0, 0, 0, 250)],
  ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
  ['2024-02-29T23:59:59.999999999-00:00', Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
  ['2017-01-01T05:29:60.5+05:30', Date.UTC(2017, 0, 1, 0, 0, 0, 500)],
  ['1998-12-31T15:59:60-08:00', Date.UTC(1999, 0, 1)],
])('%s is a time', (text, timeMs) => {
  expect(readTimestamp(text)).toEqual({ text, timeMs })
})

test.each([
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-01-01t00:00:00z',
  '2026-13-01T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-01-01T24:00:01Z',
  '2026-01-01T24:00:00Z',
  '2016-12-31T23:59:60+01:00',
  '2016-12-31T23:58:60Z',
  '2016-12-31T23:59:61Z',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00+25:00',
  '+002026-01-01T00:00:00Z',
  0,
  null,
  {},
])('%s is none', (value) => {
  expect(readTimestamp(value)).toBeUndefined()
})

test('a Date of another realm is one, a year that RFC 3339 cannot write is none', () => {
  expect(readTimestamp(runInNewContext('new Date(0)'))).toEqual({
    text: '1970-01-01T00:00:00.000Z',
    timeMs: 0,
  })
  expect(readTimestamp(new Date(Date.UTC(10_000, 0)))).toBeUndefined()
  expect(readTimestamp(new Date(-1e14))).toBeUndefined()
})

test('every Date that is taken is written as the schema wants it', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      const timestamp = readTimestamp(date)
      if (timestamp === undefined) return
      const data = {
        aadp_version: '1.0',
        generated_at: timestamp.text,
        checksum: `sha256:${'0'.repeat(64)}`,
        sitemaps: [],
      }
      expect(validateDocument({ version: '1.0', kind: 'sitemap-index', data }).issues).toEqual([])
    }),
  )
})
