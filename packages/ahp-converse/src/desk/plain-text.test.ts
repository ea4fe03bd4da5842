import { expect, it } from 'vitest'
import { firstLine, plainText } from './plain-text.js'

it('shows where something is hidden, and keeps line ends and tabs', () => {
  expect(plainText('a\u200bb\r\nc\u2066d\te\ufefff\u{e0041}\u061cg')).toBe(
    'a\ufffdb\nc\ufffdd\te\ufffdf\ufffd\ufffdg',
  )
  expect(plainText('می‌خواهم 👩‍💻')).toBe('می‌خواهم 👩‍💻')
})

it('cuts no character in two', () => {
  expect(firstLine('ab😀cd', 4)).toBe('ab…')
})
