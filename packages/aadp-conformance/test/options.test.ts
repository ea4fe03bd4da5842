import { describe, expect, it } from 'vitest'
import { runConformance, type RunConformanceOptions } from '../src/index.js'

const fetch = (): never => {
  throw new Error('A request was made.')
}

function run(baseUrl: unknown, options: unknown): Promise<unknown> {
  return runConformance(baseUrl as string, options as RunConformanceOptions)
}

describe('a wrong call', () => {
  it.each<readonly [string, unknown]>([
    ['profile', '__proto__'],
    ['entities', '5'],
    ['entities', Number.NaN],
    ['seed', 2 ** 32],
    ['concurrency', 0],
    ['deadlineMs', 2 ** 31],
    ['maxRedirects', -1],
    ['maxTotalBytes', 1.5],
    ['negativeTargets', 'https://books.test/nothing'],
    ['headers', new Headers({ authorization: 'Bearer t' })],
    ['headers', new Map([['authorization', 'Bearer t']])],
    ['headers', [['authorization', 'Bearer t']]],
    ['headers', { 'a b': 'c' }],
    ['headers', { a: 'b\r\nc: d' }],
    ['headers', { a: null }],
    ['headers', null],
    ['crossOriginSafeHeaders', 'accept'],
    ['dangerouslyAllow', [5]],
    ['retry', true],
    ['allowPrivateNetwork', 'no'],
    ['failOnWarning', 1],
    ['only', 'http.*'],
    ['only', ['nothing.like_it']],
    ['signal', {}],
    ['fetch', 'https://books.test'],
    ['now', () => Number.NaN],
    ['onCheck', {}],
    ['onRequest', null],
  ])('names the option: %s: %j', async (option, value) => {
    const refused = run('https://books.test', { fetch, [option]: value })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_option', option })
  })

  it.each([
    'ftp://books.test/nothing',
    '/nothing',
    5,
    'https://reader:secret@books.test/nothing',
    new URL('https://books.test/nothing'),
  ])('names the negative target: %s', async (unknownTypeUrl) => {
    const refused = run('https://books.test', { fetch, negativeTargets: { unknownTypeUrl } })
    await expect(refused).rejects.toMatchObject({ option: 'negativeTargets.unknownTypeUrl' })
  })

  it.each([
    undefined,
    null,
    5,
    {},
    '',
    'books.test',
    'ftp://books.test',
    'https://u:p@books.test',
    Symbol('x'),
  ])('names the target: %s', async (baseUrl) => {
    await expect(run(baseUrl, { fetch })).rejects.toMatchObject({ code: 'invalid_base_url' })
  })

  it.each([null, 5, 'core'])('refuses options that are %j', async (options) => {
    await expect(run('https://books.test', options)).rejects.toMatchObject({ option: 'options' })
  })
})
