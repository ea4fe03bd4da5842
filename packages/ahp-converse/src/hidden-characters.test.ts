import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HIDDEN_CHARACTERS } from './hidden-characters.js'

function shown(text: string): string {
  return text.replace(HIDDEN_CHARACTERS, '')
}

it.each([
  ['zero width', 'a\u200bb\u200cc\u200dd\ufeffe\u2060f'],
  ['soft hyphens and joiners of graphemes', 'a\u00adb\u034fc'],
  ['direction', 'a\u202eb\u2066c\u200ed\u061ce'],
  ['tags', 'a\u{e0069}\u{e0067}b\u{e007f}'],
  ['selectors of variations', 'a\ufe00b\u{e0100}c\ufe0f'],
  ['fillers', 'a\u3164b\u115fc'],
  ['joiners beside fillers and selectors', 'a\u3164\u200db\ufe0f\u200cc\u200d\u115fd'],
  ['controls', 'a\u001bb\u0000c\u009bd\u0085e'],
  ['other line ends', 'a\u2028b\u2029c'],
  ['halves of characters', 'a\ud800b\udc00c'],
  ['what is no character', 'a\ufffeb\u{1fffe}c\ufdd0'],
])('takes out %s', (_what, text) => {
  expect(shown(text)).toMatch(/^[a-f]{2,6}$/)
})

it.each([
  ['a letter with a mark', 'e\u0301\u200db', 'e\u0301b'],
  ['a letter of another script', '\u0915\u200db', '\u0915b'],
  ['a selector and an emoji', 'a\ufe0f\u200d\u2764', 'a\u2764'],
])('takes out a joiner that joins nothing: between Latin and %s', (_what, text, left) => {
  expect(shown(text)).toBe(left)
})

it.each(['می‌خواهم', 'क्‍ष', '👩‍👩‍👧', '🏳️‍🌈', '👩🏽‍💻', '❤️', 'naïve café', '日本語', 'e\u0301'])(
  'leaves %s as it is written',
  (text) => {
    expect(shown(text)).toBe(text)
  },
)

it('leaves nothing to take out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = shown(text)
      expect(shown(once)).toBe(once)
      expect(once).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u)
    }),
  )
})
