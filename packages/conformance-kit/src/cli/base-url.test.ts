import { describe, expect, it } from 'vitest'
import { baseUrlFrom } from './base-url.js'
import { parseCommandLine } from './command-line.js'

describe('the base URL of a command line', () => {
  it.each([
    ['localhost:3000', 'http://localhost:3000'],
    ['127.0.0.1/shop', 'http://127.0.0.1/shop'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['books.example', 'https://books.example'],
    ['localhost.books.example', 'https://localhost.books.example'],
    ['books.example/?next=http://a.test', 'https://books.example/?next=http://a.test'],
    ['http://books.example', 'http://books.example'],
    ['ftp://books.example', 'ftp://books.example'],
  ])('%s is %s', (typed, meant) => {
    expect(baseUrlFrom(parseCommandLine([], [typed]))).toBe(meant)
  })

  it('may be absent, and is one', () => {
    expect(baseUrlFrom(parseCommandLine([], []))).toBeUndefined()
    expect(() => baseUrlFrom(parseCommandLine([], ['a.test', 'b.test']))).toThrow('more than one base URL')
  })
})
