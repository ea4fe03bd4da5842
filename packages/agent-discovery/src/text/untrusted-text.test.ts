import { expect, it } from 'vitest'
import { cleanText } from './untrusted-text.js'

it.each([
  ['controls', '\u0000\u0007\u001b\u007f\u0085\u009b\u009d'],
  ['directions', '\u061c\u200e\u202e\u2066'],
  ['what is not seen', '\u00ad\u034f\u115f\u180b\u200b\u3164\ufe0f\ufeff\uffa0'],
  ['tags and selectors that spell words', '\u{e0001}\u{e0068}\u{e0069}\u{e007f}\u{e0100}\u{e01ef}'],
  ['what is no character', '\ufffe\u{1ffff}'],
])('text to show is without %s', (_, hidden) => {
  expect(cleanText(`a${hidden}b`, 100)).toBe('ab')
})

it('keeps words of all scripts, with one space between them', () => {
  expect(cleanText('\t漢字 é\r\n\u2028  שלום 🎉 ', 100)).toBe('漢字 é שלום 🎉')
})
