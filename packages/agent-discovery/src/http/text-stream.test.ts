import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.js'
import { TextStream } from './text-stream.js'

const page = `<meta charset=shift_jis>${'é漢字😀 '.repeat(40)}`
const utf8 = new TextEncoder().encode(page)
const utf16 = Uint8Array.from(Buffer.from(`\ufeff${page}`, 'utf16le'))

describe('TextStream', () => {
  it.each([
    ['UTF-8 by its type', utf8, 'text/html; charset=utf-8'],
    ['UTF-16 by its mark', utf16, 'text/html'],
    ['what it declares itself', utf8, null],
    ['a short text', utf8.subarray(0, 9), null],
    ['nothing', utf8.subarray(0, 0), null],
  ])('reads %s alike wherever it is parted', (_name, bytes, contentType) => {
    const whole = decodeText(bytes, contentType)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 6 }), (cuts) => {
        const stream = new TextStream(contentType)
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
        const pieces = ends.map((end, index) => stream.write(bytes.subarray(ends[index - 1] ?? 0, end)))
        expect(pieces.join('') + stream.end()).toBe(whole)
      }),
      { numRuns: 60 },
    )
  })
})
