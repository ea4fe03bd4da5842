import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithCorpora, loadVectors } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { canonicalize, checksumOf } from '../src/canonical-json.js'

interface ChecksumVector {
  readonly name: string
  /** JSON text. */
  readonly value: string
  readonly canonical: string
  readonly checksum: string
}

describe('checksum vectors', () => {
  it.each(loadVectors<ChecksumVector[]>('checksums.json'))('$name', ({ value, canonical, checksum }) => {
    expect(canonicalize(JSON.parse(value))).toBe(canonical)
    expect(checksumOf(JSON.parse(value))).toBe(checksum)
  })
})

describeWithCorpora('RFC 8785 test data', 'jcs', (directory) => {
  const read = (...path: string[]): string => readFileSync(join(directory, ...path), 'utf8')

  it.each(readdirSync(join(directory, 'testdata/input')))('%s', (file) => {
    const text = canonicalize(JSON.parse(read('testdata/input', file)))
    const hex = read('testdata/outhex', file.replace('.json', '.txt')).trim().replaceAll(/\s+/g, ' ')
    expect(text).toBe(read('testdata/output', file).trimEnd())
    expect(Buffer.from(text).toString('hex').replaceAll(/..\B/g, '$& ')).toBe(hex)
  })

  it('es6-10000.txt: every number', () => {
    const lines = read('es6-10000.txt').trim().split('\n')
    const wrong = lines.filter((line) => {
      const [bits = '', expected] = line.split(',')
      const double = Buffer.from(bits.padStart(16, '0'), 'hex').readDoubleBE()
      return canonicalize([double]) !== `[${expected}]`
    })
    expect(lines).toHaveLength(10_000)
    expect(wrong).toEqual([])
  })
})
