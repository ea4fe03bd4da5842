import { assertSuite } from '@doorplate/conformance-kit'
import { describe, expect, it } from 'vitest'
import {
  conformanceChecks,
  isAhpConformanceError,
  runConformance,
  type RunConformanceOptions,
} from '../src/index.js'

const fetch = (): never => {
  throw new Error('A request was made.')
}

async function refusalOf(options: unknown, baseUrl: unknown = 'https://books.test'): Promise<unknown> {
  const refused = runConformance(baseUrl as string, options as RunConformanceOptions).catch(
    (error: unknown) => error,
  )
  const error = await refused
  expect(isAhpConformanceError(error)).toBe(true)
  return error
}

describe('a wrong call', () => {
  it.each<readonly [string, unknown]>([
    ['profile', 'mode4'],
    ['profile', 'constructor'],
    ['credential', 'two words'],
    ['credential', 5],
    ['ca', 'PEM'],
    ['maxTurns', 0],
    ['maxTurns', Number.NaN],
    ['sessionIdleMs', -1],
    ['jobTimeoutMs', 1.5],
    ['maxRateRequests', 0],
    ['maxWaitMs', 2 ** 31],
    ['maxRequests', '5'],
    ['deadlineMs', 2 ** 31],
    ['timeoutMs', 0],
    ['rate', 'yes'],
    ['probes', []],
    ['pages', '/'],
    ['pages', ['ftp://books.test/']],
    ['callback', 'https://agent.test'],
    ['headers', { 'x-ahp-key': 'secret' }],
    ['headers', { Authorization: 'Bearer secret' }],
    ['headers', { 'a b': 'c' }],
    ['only', ['nothing.like_it']],
    ['sleep', 5],
    ['now', () => Number.NaN],
    ['signal', {}],
  ])('names the option: %s: %j', async (option, value) => {
    expect(await refusalOf({ fetch, [option]: value })).toMatchObject({ code: 'invalid_option', option })
  })

  it.each<readonly [string, unknown]>([
    ['maxTurn', { maxTurn: 5 }],
    ['probes.question.input', { probes: { question: { capability: 'a', input: 5 } } }],
    ['probes.questions', { probes: { questions: { capability: 'a' } } }],
    ['probes.question.name', { probes: { question: { name: 'a' } } }],
    ['probes.question.capability', { probes: { question: { capability: '' } } }],
    ['probes.question.query', { probes: { question: { capability: 'a', query: '' } } }],
    ['probes.question', { probes: { question: 'a' } }],
    ['callback.url', { callback: { url: 'agent.test' } }],
    ['callback.port', { callback: { url: 'https://agent.test', port: 65_536 } }],
    ['callback.port', { callback: { url: 'https://agent.test' } }],
    ['callback.url', { callback: { url: () => 'agent.test' } }],
    ['callback.host', { callback: { url: 'https://agent.test', host: 'x' } }],
  ])('names the member: %s', async (option, options) => {
    expect(await refusalOf({ fetch, ...(options as object) })).toMatchObject({
      code: 'invalid_option',
      option,
    })
  })

  it.each([undefined, '', 'books.test', 'ftp://books.test', 'https://u:p@books.test'])(
    'names the target: %s',
    async (baseUrl) => {
      expect(await refusalOf({ fetch }, baseUrl ?? null)).toMatchObject({ code: 'invalid_base_url' })
    },
  )

  it.each([null, 5, 'full'])('refuses options that are %j', async (options) => {
    expect(await refusalOf(options)).toMatchObject({ option: 'options' })
  })
})

describe('profiles', () => {
  it('have the checks of their part, and ask whether it is declared', () => {
    const idsOf = (profile: 'mode1' | 'mode2' | 'mode3'): readonly string[] =>
      conformanceChecks({ profile }).map(({ id }) => id)
    expect(idsOf('mode1')).toContain('responses.limits')
    expect(idsOf('mode1')).toContain('manifest.profile')
    expect(idsOf('mode1')).not.toContain('converse.answer')
    expect(idsOf('mode2')).toContain('sessions.owner')
    expect(idsOf('mode2')).not.toContain('auth.required')
    expect(idsOf('mode3')).toContain('async.callback')
    expect(idsOf('mode3')).not.toContain('mcp.tools')
  })

  it.each(['mode1', 'mode2', 'mode3', 'full'] as const)('need nothing that %s does not have', (profile) => {
    for (const rate of [false, true])
      expect(() => {
        assertSuite(conformanceChecks({ profile, rate }))
      }).not.toThrow()
  })

  it('put the limits last, and only when asked', () => {
    expect(conformanceChecks().some(({ id }) => id.startsWith('rate.'))).toBe(false)
    expect(conformanceChecks({ rate: true }).at(-1)?.id).toBe('rate.recovers')
  })
})
