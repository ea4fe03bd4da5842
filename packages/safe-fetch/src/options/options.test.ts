import { expect, it } from 'vitest'

import { createSafeFetch } from '../index.js'
import { parseOptions } from './options.js'

it('every limit is on by default', () => {
  expect(parseOptions({})).toMatchObject({
    timeoutMs: 30_000,
    connectTimeoutMs: 10_000,
    addressAttemptTimeoutMs: 1_000,
    maxResponseBytes: 10_485_760,
    maxResponseHeaderBytes: 16_384,
    maxRedirects: 10,
    mixedAnswers: 'refuse',
    retry: { maxAttempts: 1 },
    proxy: null,
    signing: null,
  })
})

const NUMBERS = [
  'timeoutMs',
  'connectTimeoutMs',
  'addressAttemptTimeoutMs',
  'maxResponseBytes',
  'maxResponseHeaderBytes',
  'maxRedirects',
] as const

it.each(NUMBERS)('%s takes whole numbers in its range only', (option) => {
  for (const value of [NaN, Infinity, -1, 1.5, '10', null, 2 ** 53]) {
    expect(() => createSafeFetch({ [option]: value as number })).toThrow(
      expect.objectContaining({ code: 'invalid_option', option, name: 'SafeFetchError' }),
    )
  }
})

it('a timer that Node would fire at once is refused', () => {
  expect(() => createSafeFetch({ timeoutMs: 2_147_483_648 })).toThrow(
    expect.objectContaining({ option: 'timeoutMs' }),
  )
  expect(() => createSafeFetch({ retry: { maxDelayMs: 2_147_483_648 } })).toThrow(
    expect.objectContaining({ option: 'retry.maxDelayMs' }),
  )
})

it.each([
  [{ maxResponseByte: 1 }, 'maxResponseByte'],
  [{ retry: { attempts: 3 } }, 'attempts'],
  [{ retry: { maxAttempts: 0 } }, 'retry.maxAttempts'],
  [{ mixedAnswers: 'all' }, 'mixedAnswers'],
  [{ lookup: 'dns' }, 'lookup'],
  [{ onAttempt: true }, 'onAttempt'],
  [{ allowedPorts: [22] }, 'allowedPorts'],
  [{ allowedPorts: [0] }, 'allowedPorts'],
  [{ allowedPorts: 80 }, 'allowedPorts'],
  [{ baseUrl: 'ftp://a.example/' }, 'baseUrl'],
  [{ baseUrl: 'nonsense' }, 'baseUrl'],
  [{ credentials: { 'https://a.example/': {} } }, 'credentials'],
  [{ credentials: { 'a.example': {} } }, 'credentials'],
  [{ credentials: { 'https://a.example': { 'bad name': 'x' } } }, 'credentials'],
  [{ credentials: { 'https://a.example': { authorization: 'a\r\nb: c' } } }, 'credentials'],
  [{ proxy: { url: 'http://proxy.example' } }, 'proxy.nameResolution'],
  [{ proxy: { url: 'socks5://proxy.example', nameResolution: 'by-proxy' } }, 'proxy.url'],
  [{ signing: { key: { kty: 'RSA' } } }, 'signing.key'],
  [{ dangerouslyAllow: true }, 'dangerouslyAllow'],
  [{ dangerouslyAllow: ['.internal'] }, 'dangerouslyAllow'],
  [{ dangerouslyAllow: ['a..internal'] }, 'dangerouslyAllow'],
  [null, 'SafeFetchOptions'],
  [Object.create({ timeoutMs: 1 }), 'SafeFetchOptions'],
  [[], 'SafeFetchOptions'],
  [{ retry: null }, 'retry'],
  [{ retry: true }, 'retry'],
  [{ proxy: null }, 'proxy'],
  [{ proxy: 'http://proxy.example' }, 'proxy'],
  [{ signing: null }, 'signing'],
  [{ signing: {} }, 'signing.key'],
  [{ signing: { key: null } }, 'signing.key'],
  [{ credentials: null }, 'credentials'],
  [{ credentials: new Map([['https://a.example', {}]]) }, 'credentials'],
  [{ credentials: { 'https://a.example': null } }, 'credentials'],
  [{ credentials: { 'https://a.example': new Headers() } }, 'credentials'],
  [{ baseUrl: 'https://user:hunter2@a.example/' }, 'baseUrl'],
  [{ ca: 5 }, 'ca'],
  [{ ca: [null] }, 'ca'],
])('%j is refused by the name of the option', (options, option) => {
  expect(() => createSafeFetch(options as never)).toThrow(
    expect.objectContaining({ code: 'invalid_option', option }),
  )
})

it('an option error does not repeat a secret', () => {
  const options = { credentials: { 'https://a.example': { authorization: 'Bearer hunter2\n' + 'x\u0100' } } }
  expect(() => createSafeFetch(options)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hunter2') as string }),
  )
})

it('what Object.prototype was given is no option', () => {
  const prototype = Object.prototype as { dangerouslyAllow?: readonly string[] }
  prototype.dangerouslyAllow = ['127.0.0.1']
  try {
    expect(parseOptions({}).allowList.allowsAddress('127.0.0.1', 80)).toBe(false)
  } finally {
    delete prototype.dangerouslyAllow
  }
})

it('an option is read once', () => {
  let reads = 0
  const options = {
    get maxRedirects() {
      return ++reads
    },
  }
  expect(parseOptions(options).maxRedirects).toBe(1)
  expect(reads).toBe(1)
})
