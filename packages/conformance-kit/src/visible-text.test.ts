import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleText } from './visible-text.js'

describe('visibleText', () => {
  it.each([
    ['plain é 漢 🎉', 'plain é 漢 🎉'],
    ['\u001b[31m', '\\u001b[31m'],
    ['a\nb', 'a\\u000ab'],
    ['\u202eevil\u2066', '\\u202eevil\\u2066'],
    ['a\u00ad\u3164\u115f\ufe0f', 'a\\u00ad\\u3164\\u115f\\ufe0f'],
    ['\ud800', '\\ud800'],
    ['\ufffe\u{1fffe}', '\\ufffe\\u{1fffe}'],
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
