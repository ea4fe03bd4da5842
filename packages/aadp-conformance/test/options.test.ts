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
    ['ca', 'PEM'],
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

  it.each<readonly [string, unknown, string, string]>([
    ['maxPage', 5, 'maxPage', 'There is no option maxPage. Did you mean maxPages?'],
    ['timeout', 5, 'timeout', 'There is no option timeout. Did you mean timeoutMs?'],
    ['colour', true, 'colour', 'There is no option colour.'],
    ['__defineGetter__', true, '__defineGetter__', 'There is no option __defineGetter__.'],
    [
      'negativeTargets',
      { unknownUrl: 'https://books.test/x' },
      'negativeTargets.unknownUrl',
      'There is no option negativeTargets.unknownUrl.',
    ],
    [
      'retry',
      { maxAttempt: 2 },
      'retry.maxAttempt',
      'There is no option retry.maxAttempt. Did you mean retry.maxAttempts?',
    ],
  ])('names the option that there is not: %s: %j', async (name, value, option, message) => {
    const refused = run('https://books.test', { fetch, [name]: value })
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_option',
      option,
      message: expect.stringContaining(message) as string,
    })
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
