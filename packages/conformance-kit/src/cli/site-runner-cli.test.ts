import { describe, expect, it } from 'vitest'
import { parseCommandLine } from './command-line.js'
import type { RunnerHooks } from './run-runner-cli.js'
import { RUNNER_OPTIONS } from './runner-options.js'
import { siteRunnerCli } from './site-runner-cli.js'

interface DemoOptions {
  readonly seed: number
  readonly maxPages?: number
  readonly restMs?: number
  readonly places?: readonly string[]
  readonly isLoud?: boolean
}

const asked: unknown[] = []

const hooks: RunnerHooks = {
  failOnWarning: true,
  skip: ['demo.check'],
  signal: new AbortController().signal,
  onCheck: () => undefined,
  onRequest: () => undefined,
  onWait: () => undefined,
}

const cli = siteRunnerCli({
  name: 'demo-conformance',
  version: '1.2.3',
  protocol: 'DEMO',
  summary: 'Checks a demo.',
  informationUri: 'https://demo.test',
  runOptions: {
    maxPages: { kind: 'integer', value: '<n>', help: 'pages' },
    restMs: { kind: 'integer', value: '<ms>', help: 'rest' },
    places: { kind: 'list', value: '<p>', help: 'places' },
    isLoud: { kind: 'flag', help: 'loud' },
  },
  options: [{ name: 'seed', kind: 'integer', value: '<n>', help: 'seed' }],
  optionsFrom: (line, env): DemoOptions => ({ seed: line.integer('seed') ?? Number(env['SEED']) }),
  toUrl: (typed) => `https://${typed}`,
  resolve: (baseUrl, { seed }) => ({ origin: new URL(baseUrl).origin, seed }),
  suite: ({ seed }) => ({ protocolVersion: String(seed), checks: [], requirementOf: () => undefined }),
  run: (baseUrl, options) => {
    asked.push([baseUrl, options])
    return Promise.reject(new Error('It is not run.'))
  },
})

const planFor = (...argv: readonly string[]): ReturnType<typeof cli.plan> =>
  cli.plan(parseCommandLine([...cli.options, ...RUNNER_OPTIONS], argv), { SEED: '7' })

describe('a runner of sites', () => {
  it('knows its checks without a site', () => {
    expect(planFor('--seed', '5')).toMatchObject({ protocolVersion: '5' })
    expect(planFor()).toMatchObject({ protocolVersion: '7' })
    expect(planFor().run).toBeUndefined()
  })

  it('runs with its own options, those that all have, and what the command hears of the run', async () => {
    const plan = planFor('site.test/path', '--seed', '5', '--timeout', '9')
    expect(plan.baseUrl).toBe('https://site.test')
    await expect(plan.run?.(hooks)).rejects.toThrow('It is not run.')
    expect(asked).toEqual([
      ['https://site.test/path', expect.objectContaining({ seed: 5, timeoutMs: 9, ...hooks })],
    ])
  })

  it('takes options of a run by their names, and leaves out what was not given', async () => {
    asked.length = 0
    const argv = ['--max-pages', '3', '--rest', '50', '--places', 'a', '--places', 'b', '--is-loud']
    await planFor('site.test', ...argv)
      .run?.(hooks)
      .catch(() => undefined)
    const given = { maxPages: 3, restMs: 50, places: ['a', 'b'], isLoud: true }
    expect(asked).toEqual([['https://site.test', expect.objectContaining(given)]])
    asked.length = 0
    await planFor('site.test')
      .run?.(hooks)
      .catch(() => undefined)
    expect(Object.keys((asked as [string, object][])[0]?.[1] ?? {})).not.toEqual(
      expect.arrayContaining(['maxPages']),
    )
  })

  it.each([':', 'a b', 'user:secret@site.test'])('refuses %j, of which no request could be made', (typed) => {
    expect(() => planFor(typed)).toThrow('The base URL must be an http or https URL')
  })

  it('asks for a variable that is not set', () => {
    expect(() => planFor('')).toThrow('The base URL is empty: is the variable set?')
    expect(() => planFor('site.test', '--places', 'a', '--places', '')).toThrow(
      '--places is empty: is the variable set?',
    )
    expect(() => planFor('site.test', '--max-pages=')).toThrow('--max-pages is empty')
  })

  it('names the unit of a number', () => {
    expect(() => planFor('site.test', '--rest', '5s')).toThrow(
      '--rest must be a whole number of milliseconds, not "5s".',
    )
    expect(() => planFor('site.test', '--max-pages', 'x')).toThrow('a whole number, not "x".')
  })

  it('tells in the help what a URL without a scheme is', () => {
    expect(cli.usageNote).toContain('of http on this machine (localhost:3000)')
  })

  it('takes one site', () => {
    expect(() => planFor('a.test', 'b.test')).toThrow('There is more than one base URL.')
  })
})
