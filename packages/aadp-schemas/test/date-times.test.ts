import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validateDocument } from '../src/index.js'

const dateTime = addFormats.default.get('date-time') as { validate: (text: string) => boolean }

function isAccepted(updatedAt: string): boolean {
  const checksum = `sha256:${'0'.repeat(64)}`
  const data = { aadp_version: '1.0', id: 'a:b', type: 'a', checksum, updated_at: updatedAt, data: {} }
  return validateDocument({ version: '1.0', kind: 'entity', data }).valid
}

it.each([
  ['2026-02-28T23:59:59Z', true],
  ['2024-02-29T00:00:00.123456Z', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-04-31T00:00:00Z', false],
  ['2026-12-31T23:59:60Z', true],
  ['2026-12-31T22:59:60Z', false],
  ['2026-00-01T00:00:00Z', false],
  ['2026-01-01T24:00:00Z', false],
  ['2026-01-01T00:00:00+23:59', true],
  ['2026-01-01t00:00:00z', true],
  ['2026-01-01T00:00:00', false],
  ['2026-01-01T00:00:00Z\n', false],
  ['2026-01-01T00:00:00.Z', false],
])('%j is a date and time: %s', (text, expected) => {
  expect([isAccepted(text), dateTime.validate(text)]).toEqual([expected, expected])
})

it('what is a date and time is up to ajv-formats', () => {
  const digits = (maximum: number) => fc.nat(maximum).map((value) => String(value).padStart(2, '0'))
  const part = fc.tuple(
    ...[fc.constantFrom('2024', '2026', '1900', '26'), fc.constantFrom('-', ''), digits(13), digits(32)],
    ...[fc.constantFrom('T', 't', ' ', '_'), digits(25), digits(61), digits(61)],
    ...[fc.constantFrom('', '.5', '.'), fc.constantFrom('Z', 'z', '', '+01:00', '-24:00', '+0100', 'Z\n')],
  )
  fc.assert(
    fc.property(part, ([year, dash, month, day, t, hour, minute, second, fraction, zone]) => {
      const text = `${year}-${month}${dash}${day}${t}${hour}:${minute}:${second}${fraction}${zone}`
      expect(isAccepted(text)).toBe(dateTime.validate(text))
    }),
    { numRuns: 2_000 },
  )
})
