import fc from 'fast-check'
import { expect, it } from 'vitest'
import { placeOfJsonFault } from './json-fault.js'
import { parseManifest } from './parse-manifest.js'

it.each([
  ['', 1, 1],
  ['{', 1, 2],
  ['{\n  "ahp": "0.1",\n}', 3, 1],
  ['{\n  "ahp": "0.1"\n  "name": "x"\n}', 3, 3],
  ['{"a" 1}', 1, 6],
  ['[1,]', 1, 4],
  ['[1 2]', 1, 4],
  ['[01]', 1, 3],
  ['{"a":[]}]', 1, 9],
  ['{a: 1}', 1, 2],
  ['["a\nb"]', 1, 2],
  ['["\\x"]', 1, 2],
  ['[NaN]', 1, 2],
  ['[1}', 1, 3],
  [`"${'a'.repeat(1_000_000)}" x`, 1, 1_000_004],
])('%.40j stops being JSON in line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  expect(placeOfJsonFault(text)).toEqual({ line, column })
})

it('what follows any JSON is a fault there, and so is its missing end', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(placeOfJsonFault(`${text}\n ?`)).toEqual({ line: 2, column: 2 })
      expect(placeOfJsonFault(`[\n${text}`)).toEqual({ line: 2, column: text.length + 1 })
    }),
  )
})

it('the message names the place and nothing of the text', () => {
  expect(() => parseManifest('{\n  "secret": s3cret\n}')).toThrow(
    expect.objectContaining({
      code: 'not_json',
      message: 'The manifest is not JSON: line 2, column 13.',
    }) as Error,
  )
})
