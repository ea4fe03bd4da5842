import { expect, it } from 'vitest'
import { withScheme } from './with-scheme.js'

it.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['LOCALHOST/shop', 'http://LOCALHOST/shop'],
  ['127.0.0.1/shop', 'http://127.0.0.1/shop'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['books.example', 'https://books.example'],
  ['localhost.books.example', 'https://localhost.books.example'],
  ['127.0.0.1.books.example', 'https://127.0.0.1.books.example'],
  ['books.example/?next=http://a.test', 'https://books.example/?next=http://a.test'],
  ['http://books.example', 'http://books.example'],
  ['ftp://books.example', 'ftp://books.example'],
])('%s is %s', (typed, meant) => {
  expect(withScheme(typed)).toBe(meant)
})
