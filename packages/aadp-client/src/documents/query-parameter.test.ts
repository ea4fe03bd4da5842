import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withQueryParameter } from './query-parameter.js'

it.each([
  ['https://a.example/s', 'https://a.example/s?cursor=n'],
  ['https://a.example/s?', 'https://a.example/s?cursor=n'],
  ['https://a.example/s?sig=a%20b~%2f&flag&&x=1', 'https://a.example/s?sig=a%20b~%2f&flag&&x=1&cursor=n'],
  ['https://a.example/s?a=1&cursor=o&b=2&%63ursor=p', 'https://a.example/s?a=1&cursor=n&b=2'],
  ['https://a.example/s?a=x?cursor=o', 'https://a.example/s?a=x?cursor=o&cursor=n'],
])('leaves the rest of %s as it is', (href, expected) => {
  expect(withQueryParameter(href, 'cursor', 'n')).toBe(expected)
})

it('sets what the parser reads, and no other parameter', () => {
  const parameters = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })))
  fc.assert(
    fc.property(parameters, fc.string({ unit: 'grapheme' }), (others, value) => {
      const url = new URL('https://a.example/s')
      url.search = new URLSearchParams(others).toString()
      const result = new URL(withQueryParameter(url.href, 'cursor', value))
      url.searchParams.set('cursor', value)
      expect([...result.searchParams]).toEqual([...url.searchParams])
    }),
    { numRuns: 50 },
  )
})
