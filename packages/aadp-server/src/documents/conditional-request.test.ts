import { describe, expect, test } from 'vitest'
import { isNotModified, matchesEntityTag } from './conditional-request.js'

const TAG = '"sha256:ab"'

test.each([
  ['"x", "sha256:ab"', true],
  ['W/"sha256:ab"', true],
  ['*', true],
  [' * ', true],
  ['"x"', false],
  ['sha256:ab', false],
  ['', false],
  ['"sha256:ab', false],
  ['"x" , W/"y",\t"sha256:ab"', true],
  [', ,"sha256:ab",', true],
  ['w/"sha256:ab"', false],
  ['W/ "sha256:ab"', false],
  ['"x", *', false],
  ['"x"; "sha256:ab"', false],
  ['"x""sha256:ab"', false],
  ['"x", sha256:ab, "y"', false],
  ['"y\n", "sha256:ab"', false],
])('If-None-Match: %s is %s (HC-01, HC-15)', (fieldValue, expected) => {
  expect(matchesEntityTag(fieldValue, TAG)).toBe(expected)
})

test.each([
  ['"a,b"', true],
  ['"a", "b"', false],
  ['"a,b","c"', true],
  ['"c","a,b"', true],
])('If-None-Match: %s against a tag with a comma is %s (HC-02)', (fieldValue, expected) => {
  expect(matchesEntityTag(fieldValue, '"a,b"')).toBe(expected)
})

test('a hostile list costs no more than its length', () => {
  expect(matchesEntityTag(`${'"x",'.repeat(4000)}"y`, TAG)).toBe(false)
  expect(matchesEntityTag(','.repeat(16_000), TAG)).toBe(false)
  expect(matchesEntityTag('\t'.repeat(16_000), TAG)).toBe(false)
})

describe('If-Modified-Since', () => {
  function since(value: string, unchangedSinceMs?: number): boolean {
    const headers = { get: (name: string) => (name === 'if-modified-since' ? value : null) }
    return isNotModified(headers, { etag: TAG, unchangedSinceMs }, () => Date.UTC(2026, 0, 1))
  }

  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', true],
    ['Sunday, 06-Nov-94 08:49:37 GMT', true],
    ['Sun Nov  6 08:49:37 1994', true],
    ['Sun, 06 Nov 1994 08:49:36 GMT', false],
    ['Sun, 06 Nov 1994 08:49:38 GMT', true],
    ['1994-11-06T08:49:37Z', false],
    ['06 Nov 1994', false],
    ['Sun, 31 Feb 1999 08:49:37 GMT', false],
    ['Sun, 06 Nov 1999 24:00:00 GMT', false],
    ['784111777', false],
    ['', false],
  ])('%s is %s', (value, expected) => {
    expect(since(value, Date.UTC(1994, 10, 6, 8, 49, 37, 999))).toBe(expected)
  })

  test('without a date of the document proves nothing', () => {
    expect(since('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(false)
  })

  test('a year of two digits is the nearest', () => {
    expect(since('Friday, 01-Jan-27 00:00:00 GMT', Date.UTC(2026, 5, 1))).toBe(true)
    expect(since('Friday, 01-Jan-99 00:00:00 GMT', Date.UTC(2026, 5, 1))).toBe(false)
  })
})
