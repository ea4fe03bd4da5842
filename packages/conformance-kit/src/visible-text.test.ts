import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleJson, visibleText } from './visible-text.js'

describe('visibleText', () => {
  it.each([
    ['plain é 漢 🎉', 'plain é 漢 🎉'],
    ['\u001b[31m', '\\u001b[31m'],
    ['a\nb', 'a\\u000ab'],
    ['\u202eevil\u2066', '\\u202eevil\\u2066'],
    ['a\u00ad\u3164\u115f\ufe0f', 'a\\u00ad\\u3164\\u115f\\ufe0f'],
    ['\ud800', '\\ud800'],
    ['\ufffe\u{1fffe}', '\\ufffe\\u{1fffe}'],
    ['\u{e0001}\u{e0068}\u{e007f}', '\\u{e0001}\\u{e0068}\\u{e007f}'],
    ['\u034f\u180b\u2800\u{e0100}', '\\u034f\\u180b\u2800\\u{e0100}'],
    ['\u009d0;owned\u0007', '\\u009d0;owned\\u0007'],
  ])('%j becomes %j', (text, expected) => {
    expect(visibleText(text)).toBe(expected)
  })

  it('bounds the length and says how much is left out', () => {
    expect(visibleText('x'.repeat(501))).toBe(`${'x'.repeat(500)}… (1 more)`)
    expect(visibleText('x'.repeat(500))).toBe('x'.repeat(500))
    expect(visibleText('a🎉b', 2)).toBe('a… (2 more)')
  })

  it('never leaves a control or a lone surrogate', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const text = visibleText(String.fromCharCode(...units))
        expect(text).not.toMatch(/\p{Cc}|\p{Cs}/u)
      }),
    )
  })
})

describe('visibleJson', () => {
  it('is the same data, and nothing in it is acted on', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0x1b, 0x9b, 0x202e, 0xfeff, 0xdb40, 0xdc41),
    )
    const text = fc.array(unit).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(fc.jsonValue(), text, (json, hostile) => {
        const value = { json, [hostile]: [hostile] }
        const shown = visibleJson(value)
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(shown).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point}/u)
      }),
    )
  })
})
