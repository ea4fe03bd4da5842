import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { weaknessOf } from './weak-ids.js'

const inTime = (count: number): string => (1_767_312_000_000 + count * 7).toString(16).padStart(12, '0')

const RANDOM: readonly (readonly [string, (count: number) => string])[] = [
  ['UUIDs of version 4', () => randomUUID()],
  ['UUIDs of version 7', (count) => `${inTime(count)}-7${randomBytes(10).toString('hex').slice(1)}`],
  ['64 bits in hexadecimal', () => randomBytes(8).toString('hex')],
  ['128 bits in Base64', () => randomBytes(16).toString('base64url')],
  ['a counter that is signed', (count) => `s.${count}.${randomBytes(16).toString('base64url')}`],
]

const GUESSABLE: readonly (readonly [string, (count: number) => string])[] = [
  ['a counter', (count) => String(count)],
  ['a counter over a border', (count) => `session-${98 + count}`],
  ['a counter that runs down', (count) => String(5_000 - count)],
  ['a counter that others use too', (count) => `1${String(count * 4_711).padStart(40, '0')}`],
  ['the time', (count) => String(1_767_312_000_000 + count * 7)],
  ['a snowflake', (count) => String((BigInt(1_767_312_000_000 + count * 7) << 22n) + 4_096n)],
  [
    'a UUID of version 1',
    (count) => `${(0x2f1a_0000 + count * 9_973).toString(16)}-7b3e-11f0-8de9-0242ac120002`,
  ],
  ['32 random bits', () => randomBytes(4).toString('hex')],
  ['six digits', () => String((randomBytes(4).readUInt32BE() % 900_000) + 100_000)],
  ['one id for all', () => 'session'],
]

const four = (idOf: (count: number) => string): string[] => [0, 1, 2, 3].map(idOf)

describe('what is looked at in ids', () => {
  it.each(RANDOM)('is no weakness: %s', (_, idOf) => {
    for (let run = 0; run < 500; run++) expect(weaknessOf(four(idOf))).toBeUndefined()
  })

  it.each(GUESSABLE)('is a weakness: %s', (_, idOf) => {
    for (let run = 0; run < 100; run++) expect(weaknessOf(four(idOf))).toMatch(/^(Ids|Two new sessions) /)
  })

  it('is nothing where there is one', () => {
    expect([weaknessOf([]), weaknessOf(['1'])]).toEqual([undefined, undefined])
  })
})
