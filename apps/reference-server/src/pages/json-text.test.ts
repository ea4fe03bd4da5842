import { expect, it } from 'vitest'
import { jsonText } from './json-text.js'

it('cuts long texts, and the whole', () => {
  expect(jsonText({ a: 'x'.repeat(1000) })).toContain(`${'x'.repeat(400)}… (600 characters more)`)
  expect(jsonText(['x'.repeat(300)], { maxLength: 100 })).toHaveLength(102)
  expect(jsonText({ a: [1, null] })).toBe('{\n  "a": [\n    1,\n    null\n  ]\n}')
})
