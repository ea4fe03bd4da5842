import { expect, it } from 'vitest'
import { valueAt } from './value-at.js'

it.each([
  ['', { a: 1 }, { a: 1 }],
  ['/a/0/b', { a: [{ b: 5 }] }, 5],
  ['/a~1b/~0', { 'a/b': { '~': 7 } }, 7],
  ['/a/constructor', { a: {} }, undefined],
  ['/a/b/c', { a: 'text' }, undefined],
])('follows %j', (pointer, document, value) => {
  expect(valueAt(document, pointer)).toEqual(value)
})
