import { expect, it } from 'vitest'
import { cutText } from './cut-text.js'

it.each([
  ['short', 'abc', 3, 'abc'],
  ['long', 'abcd', 3, 'ab…'],
  ['long, of wide characters', 'a😀😀', 3, 'a…'],
  ['long, of wide characters that fit', '😀😀', 3, '😀…'],
])('a text that is %s', (_what, text, maxLength, cut) => {
  expect(cutText(text, maxLength)).toBe(cut)
})
