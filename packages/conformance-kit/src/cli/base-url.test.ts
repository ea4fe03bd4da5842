import { expect, it } from 'vitest'
import { baseUrlFrom } from './base-url.js'
import { parseCommandLine } from './command-line.js'

it('the base URL of a command line may be absent, and is one', () => {
  expect(baseUrlFrom(parseCommandLine([], []))).toBeUndefined()
  expect(baseUrlFrom(parseCommandLine([], ['a.test']))).toBe('a.test')
  expect(() => baseUrlFrom(parseCommandLine([], ['a.test', 'b.test']))).toThrow('more than one base URL')
})
