import { expect, it } from 'vitest'
import { foreignText } from './foreign-text.js'

it('shows what a site wrote as one visible line of bounded length', () => {
  expect(foreignText('a\nb\u0000\u202Ec\u200Bd')).toBe('a b c d')
  expect(foreignText('x'.repeat(10_000), 5)).toBe('xxxx…')
  expect([foreignText(undefined), foreignText({}), foreignText(7)]).toEqual(['', '', ''])
})

it('is cut between characters, and has none that nobody sees', () => {
  expect(foreignText('a😀b', 3)).toBe('a…')
  expect(foreignText('a\u3164\ufe0eb\u115f ❤\ufe0f!')).toBe('a b  ❤\ufe0f!')
})
