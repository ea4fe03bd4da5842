import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wrongCopyOf } from './wrong-credential.js'

it('differs in one character, and is as long and as sendable', () => {
  const credential = fc.stringMatching(/^[\x21-\x7e]+$/)
  fc.assert(
    fc.property(credential, (right) => {
      const wrong = wrongCopyOf(right)
      expect(wrong).toMatch(/^[\x21-\x7e]+$/)
      expect(wrong).toHaveLength(right.length)
      expect(Array.from(wrong).filter((character, at) => character !== right[at])).toHaveLength(1)
    }),
  )
})
