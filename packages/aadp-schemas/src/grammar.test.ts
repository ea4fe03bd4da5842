import { expect, it } from 'vitest'
import { isExtensionKey } from './grammar.js'

it.each(['x_', 'x_1', 'x_Foo', 'x__'])('%s names an extension', (key) => {
  expect(isExtensionKey(key)).toBe(true)
})

it.each(['', 'x', 'X_a', 'x-a', 'x_a-b', 'x_ä', ' x_a', 'x_a\n', 'ax_'])('%j does not', (key) => {
  expect(isExtensionKey(key)).toBe(false)
})
