import { describe, expect, it } from 'vitest'
import { scanLinks } from './link-scanner.js'

describe('scanLinks', () => {
  it.each(['<', ',<', ' ;', '<x>;', '<x>; rel="\\', '"', '<x>;rel="y" z', '<a>,', '<x>;a="', '=;,<>'])(
    'reads every character of a hostile field a bounded number of times: %s (LH-14)',
    (piece) => {
      const { reads, field } = countingString(piece.repeat(Math.ceil(65_536 / piece.length)).slice(0, 65_536))
      for (const token of scanLinks(field)) expect(token).toBeDefined()
      expect(reads()).toBeLessThan(65_536 * 12)
    },
  )
})

/** A string-like object that counts how often its characters are looked at. */
function countingString(value: string): { reads: () => number; field: string } {
  let count = 0
  const counted = (text: string): string =>
    new Proxy(Object(text) as object, {
      get(target, key) {
        if (key === 'length') return text.length
        if (typeof key === 'string' && /^\d+$/.test(key)) {
          count++
          return text[Number(key)]
        }
        if (key === 'slice')
          return (start?: number, end?: number) => {
            const piece = text.slice(start, end)
            count += piece.length
            return piece.length === text.length ? counted(piece) : piece
          }
        const member: unknown = Reflect.get(target, key)
        return typeof member === 'function' ? (member.bind(text) as unknown) : member
      },
    }) as unknown as string
  return { reads: () => count, field: counted(value) }
}
