import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../estimate-tokens.js'
import { withinTokens } from './within-tokens.js'

describe('withinTokens', () => {
  it('leaves alone what is short enough, and cuts after a word', () => {
    expect(withinTokens('one two three', 4)).toBe('one two three')
    expect(withinTokens('one two three four five six', 4)).toBe('one two three…')
  })

  it('gives the beginning of any text, within the tokens and without half a character', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (whole, maxTokens) => {
        const cut = withinTokens(whole, maxTokens)
        expect(estimateTokens(cut)).toBeLessThanOrEqual(maxTokens)
        expect(cut === whole || whole.startsWith(cut.slice(0, -1))).toBe(true)
        expect(() => encodeURIComponent(cut)).not.toThrow()
      }),
    )
  })
})
