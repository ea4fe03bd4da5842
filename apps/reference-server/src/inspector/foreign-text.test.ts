import { expect, it } from 'vitest'
import { foreignText } from './foreign-text.js'

it('shows what a site wrote as one visible line of bounded length', () => {
  expect(foreignText('a\nb\u0000\u202Ec\u200Bd')).toBe('a b c d')
  expect(foreignText('x'.repeat(10_000), 5)).toBe('xxxx…')
  expect([foreignText(undefined), foreignText({}), foreignText(7)]).toEqual(['', '', ''])
})
