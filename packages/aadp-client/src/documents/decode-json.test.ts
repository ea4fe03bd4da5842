import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithCorpora } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { decodeText, isJsonContentType, parseJson } from './decode-json.js'

const URL = 'https://a.test/'

function decode(bytes: Uint8Array): unknown {
  return parseJson(decodeText(bytes, URL), URL)
}

describe('decoding', () => {
  it('drops one byte order mark and no more (JD-01, JD-02)', () => {
    expect(decode(Buffer.from('\ufeff{}'))).toEqual({})
    expect(decode(Buffer.from('{"a":"x\ufeffy","\ufeffk":1}'))).toEqual({ a: 'x\ufeffy', '\ufeffk': 1 })
    expect(() => decode(Buffer.from('\ufeff\ufeff{}'))).toThrow(
      expect.objectContaining({ code: 'malformed_json' }),
    )
  })

  it.each([
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82]],
  ])('refuses %s (JD-01)', (_, bytes) => {
    expect(() => decode(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: 'malformed_json', url: URL }),
    )
  })

  it('says nothing of the text in its message', () => {
    expect(() => decode(Buffer.from('{"password": SECRET}'))).toThrow(/^Not JSON: https:\/\/a\.test\/$/)
  })
})

describe('isJsonContentType', () => {
  it.each([
    ['application/json', true],
    ['application/json;charset=UTF-8', true],
    ['Application/JSON ; charset="utf-8"', true],
    ['application/json-seq', false],
    ['application/problem+json', false],
    ['application/jsonp', false],
    ['text/html; a="application/json"', false],
    ['application/json, text/html', false],
    ['', false],
    [undefined, false],
  ])('%j: %s (JD-07)', (value, expected) => {
    expect(isJsonContentType(value)).toBe(expected)
  })
})

describeWithCorpora('JSON texts', 'json-parsing/test_parsing', (folder) => {
  it.each(readdirSync(folder).filter((name) => name.startsWith('y_')))('accepts %s', (name) => {
    expect(() => decode(readFileSync(join(folder, name)))).not.toThrow()
  })

  it.each(readdirSync(folder).filter((name) => name.startsWith('n_')))('refuses %s', (name) => {
    expect(() => decode(readFileSync(join(folder, name)))).toThrow(
      expect.objectContaining({ code: 'malformed_json' }),
    )
  })
})
