import { describe, expect, it } from 'vitest'
import type { Check, Requirement } from './check.js'
import { exitCodeFor } from './exit-code.js'
import { inconclusive, judged, skipped, type Outcome } from './outcome.js'
import type { ConformanceReport } from './report.js'
import { budgetExceeded } from './errors.js'
import { RequestLog } from './request-log.js'
import { runChecks, type RunChecksOptions } from './run-checks.js'

const REQUIREMENTS: readonly Requirement[] = [
  { id: 'M', level: 'MUST', text: 'It must.' },
  { id: 'S', level: 'SHOULD', text: 'It should.' },
  { id: 'Y', level: 'MAY', text: 'It may.' },
]

const fails = judged([{ requirement: 'M', message: 'no' }])
const warns = judged([{ requirement: 'S', message: 'hm' }])
const passes = judged([])

function check(id: string, outcome: Outcome | (() => Outcome), more: Partial<Check<null>> = {}): Check<null> {
  const run = typeof outcome === 'function' ? outcome : (): Outcome => outcome
  return { id, title: `Title of ${id}`, requirements: ['M'], hint: 'Do it.', run, ...more }
}

function run(
  checks: readonly Check<null>[],
  options: Partial<RunChecksOptions> = {},
): Promise<ConformanceReport> {
  const log = new RequestLog(() => Promise.reject(new Error('no network')))
  log.close()
  return runChecks(checks, null, {
    protocol: 'demo',
    protocolVersion: '1.0',
    baseUrl: 'https://site.test',
    runner: { name: 'demo-conformance', version: '1.2.3' },
    requirementOf: (id) => REQUIREMENTS.find((requirement) => requirement.id === id),
    log,
    now: () => 0,
    ...options,
  })
}

function statuses(report: ConformanceReport): Readonly<Record<string, string>> {
  return Object.fromEntries(report.checks.map((result) => [result.id, result.status]))
}

describe('the status of a check', () => {
  it.each([
    ['passed', passes],
    ['passed', judged([{ requirement: 'Y', message: 'note' }])],
    ['warning', warns],
    ['warning', judged([{ requirement: 'M', message: 'derived', advisory: true }])],
    ['failed', fails],
    [
      'failed',
      judged([
        { requirement: 'S', message: 'hm' },
        { requirement: 'M', message: 'no' },
      ]),
    ],
    ['failed', judged([{ requirement: 'misspelt', message: 'no' }])],
    ['failed', inconclusive('cut short', [{ requirement: 'M', message: 'no' }])],
    ['inconclusive', inconclusive('cut short', [{ requirement: 'S', message: 'hm' }])],
    ['skipped', skipped('not here')],
  ])('is %s for %j', async (status, outcome) => {
    const [result] = (await run([check('a', outcome)])).checks
    expect(result?.status).toBe(status)
  })

  it('comes with bounded, printable findings, the worst first, and with the requirements they cite', async () => {
    const many = Array.from({ length: 30 }, () => ({ requirement: 'S', message: 'hm' }))
    const hostile = {
      requirement: 'M',
      message: `\u001b[2J${'x'.repeat(5_000)}`,
      url: 'https://site.test/\u0007',
    }
    const report = await run([check('a', judged([...many, hostile]))])
    const [result] = report.checks
    expect(result).toMatchObject({ finding_count: 31, hint: 'Do it.' })
    expect(result?.findings).toHaveLength(20)
    expect(result?.findings[0]?.message).toMatch(/^\\u001b\[2Jx+… \(\d+ more\)$/)
    expect(result?.findings[0]?.url).toBe('https://site.test/\\u0007')
    expect(report.requirements).toEqual({
      M: { level: 'MUST', text: 'It must.' },
      S: { level: 'SHOULD', text: 'It should.' },
    })
  })
})

describe('prerequisites', () => {
  it.each([
    [fails, 'skipped'],
    [skipped('no'), 'skipped'],
    [inconclusive('cut short'), 'inconclusive'],
    [warns, 'passed'],
    [passes, 'passed'],
  ])('after %j the next is %s', async (first, expected) => {
    const report = await run([check('a', first), check('b', passes, { needs: ['a'] })])
    expect(statuses(report)['b']).toBe(expected)
  })

  it('are run with a selection, which is then not complete', async () => {
    const suite = [check('a', passes), check('b', passes, { needs: ['a'] }), check('c', fails)]
    const report = await run(suite, { only: ['b'] })
    expect(statuses(report)).toEqual({ a: 'passed', b: 'passed' })
    expect(report).toMatchObject({ status: 'passed', complete: false })
    expect(await run(suite)).toMatchObject({ status: 'failed', complete: true })
  })

  it.each([
    [[check('a', passes), check('a', passes)]],
    [[check('b', passes, { needs: ['a'] }), check('a', passes)]],
    [[check('Upper', passes)]],
    [[check('a', passes, { requirements: [] })]],
    ...['title', 'hint', 'run', 'requirements'].map((name) => [[check('a', passes, { [name]: undefined })]]),
  ])('refuses a suite that contradicts itself', async (suite) => {
    await expect(run(suite)).rejects.toMatchObject({ code: 'invalid_suite' })
  })

  it('leaves out what it is told to, and what needs that', async () => {
    const suite = [
      check('a.one', passes),
      check('a.two', fails),
      check('b', passes, { needs: ['a.two'] }),
      check('c', passes, { needs: ['b'] }),
      check('d', passes, { needs: ['a.one'] }),
    ]
    const report = await run(suite, { skip: ['a.two'] })
    expect(statuses(report)).toEqual({ 'a.one': 'passed', d: 'passed' })
    expect(report).toMatchObject({ status: 'passed', complete: false })
    expect(statuses(await run(suite, { only: ['c', 'd'], skip: ['a.*'] }))).toEqual({})
    expect((await run(suite, { skip: [] })).complete).toBe(true)
  })

  it('refuses to select what is not there', async () => {
    await expect(run([check('a', passes)], { skip: ['b.*'] })).rejects.toMatchObject({
      code: 'unknown_check',
    })
    await expect(run([check('a', passes)], { only: ['b.*'] })).rejects.toMatchObject({
      code: 'unknown_check',
    })
  })
})

describe('the end of a run', () => {
  it('CF-06: codes tell a failed check, warnings only and a crash apart', async () => {
    const crash = check('a', () => {
      throw new TypeError('undefined is not a function')
    })
    expect(exitCodeFor(await run([check('a', fails)]))).toBe(1)
    expect(exitCodeFor(await run([check('a', warns)]))).toBe(0)
    expect(exitCodeFor(await run([check('a', warns)], { failOnWarning: true }))).toBe(1)
    expect(exitCodeFor(await run([crash, check('b', passes)]))).toBe(3)
    const report = await run([crash, check('b', passes)])
    expect(report).toMatchObject({
      status: 'inconclusive',
      complete: false,
      fatal: { code: 'internal_error' },
    })
    expect(statuses(report)).toEqual({ a: 'inconclusive', b: 'passed' })
  })

  it('CF-08: no failure is not a pass when nothing was judged', async () => {
    const report = await run([check('a', skipped('no manifest')), check('b', skipped('no manifest'))])
    expect(report.status).toBe('inconclusive')
    expect(exitCodeFor(report)).toBe(4)
    expect(exitCodeFor(await run([]))).toBe(4)
  })

  it.each([
    ['unreachable', 2],
    ['unsupported_version', 3],
  ] as const)('%s skips the rest and exits with %d', async (fatal, code) => {
    const report = await run([check('a', fails, { fatal }), check('b', passes)])
    expect(statuses(report)).toEqual({ a: 'failed', b: 'skipped' })
    expect(report).toMatchObject({ status: 'failed', fatal: { code: fatal, message: 'no' } })
    expect(exitCodeFor(report)).toBe(code)
  })

  it('leaves a check open whose budget is used up, and goes on with the next', async () => {
    const spender = check('a', () => {
      throw budgetExceeded('maxRequests', 'The run has used up its 5 requests.')
    })
    const report = await run([spender, check('b', passes)])
    expect(statuses(report)).toEqual({ a: 'inconclusive', b: 'passed' })
    expect(exitCodeFor(report)).toBe(4)
  })

  it('leaves everything open that an abort leaves over', async () => {
    const controller = new AbortController()
    const log = new RequestLog(() => Promise.reject(new Error('no network')), { signal: controller.signal })
    log.close()
    const aborter = check('b', () => {
      controller.abort(new Error('enough'))
      throw controller.signal.reason as Error
    })
    const report = await run([check('a', passes), aborter, check('c', fails)], { log })
    expect(statuses(report)).toEqual({ a: 'passed', b: 'inconclusive', c: 'inconclusive' })
    expect(report).toMatchObject({ status: 'inconclusive', complete: false })
    expect(exitCodeFor(report)).toBe(4)
  })
})

describe('secrets', () => {
  it('are hidden wherever a site repeats them, also at the edge of what is cut', async () => {
    const message = `${'x'.repeat(495)}key-longer`
    const outcome = judged([{ requirement: 'M', message, url: 'https://site.test/key', pointer: '/key' }])
    const report = await run([check('a', outcome)], { secrets: ['key', 'key-longer', ''] })
    expect(JSON.stringify(report)).not.toContain('key')
    expect(report.checks[0]?.findings[0]?.url).toBe('https://site.test/(hidden)')
  })
})

describe('a check that comes to no outcome', () => {
  it.each([
    undefined,
    null,
    'passed',
    {},
    { kind: 'judged' },
    { kind: 'judged', findings: [null] },
    { kind: 'skipped' },
    { kind: 'judged', findings: [{ requirement: 'M', message: 'no', hint: 5 }] },
  ])('is broken: %j', async (outcome) => {
    const report = await run([check('a', outcome as unknown as Outcome)])
    expect(report).toMatchObject({ status: 'inconclusive', fatal: { code: 'internal_error' } })
    expect(exitCodeFor(report)).toBe(3)
  })
})

describe('a check that is broken', () => {
  it.each([
    [undefined, 'return judged(findings), skipped(reason) or inconclusive(reason)'],
    [{ kind: 'judged', findings: [{ message: 'no' }] }, 'give requirement and message as texts'],
  ])('says what to return: %j', async (outcome, advice) => {
    const report = await run([check('a', outcome as unknown as Outcome)])
    expect(report.fatal?.message).toContain(advice)
  })
})

describe('the hint of a failure', () => {
  const elsewhere = { requirement: 'M', message: 'no', hint: 'Look at the network.' }

  it('is that of the findings where all have one, and else that of the check', async () => {
    const hintOf = async (outcome: Outcome): Promise<string | undefined> =>
      (await run([check('a', outcome)])).checks[0]?.hint
    expect(await hintOf(judged([elsewhere]))).toBe('Look at the network.')
    expect(await hintOf(judged([elsewhere, { requirement: 'M', message: 'no' }]))).toBe('Do it.')
  })
})

describe('options of a run', () => {
  it.each(['protocol', 'protocolVersion', 'baseUrl', 'runner', 'requirementOf', 'log'])(
    'are refused without %s, before anything is checked',
    async (option) => {
      let isRun = false
      const first = check('a', () => {
        isRun = true
        return passes
      })
      const refused = run([first], { [option]: undefined })
      await expect(refused).rejects.toMatchObject({ code: 'invalid_option', option })
      expect(isRun).toBe(false)
    },
  )

  it.each([
    ['protocol', 'Demo'],
    ['baseUrl', ''],
    ['runner', { name: 'demo' }, 'runner.version'],
    ['log', {}],
    ['profile', ''],
    ['only', 'http.*'],
    ['only', [5]],
    ['skip', 'http.*'],
    ['failOnWarning', 'yes'],
    ['now', () => Number.NaN],
    ['now', 5],
    ['onCheck', {}],
    ['settings', []],
  ])('refuse a wrong value of %s', async (option, value, blamed: unknown = option) => {
    const refused = run([check('a', passes)], { [option]: value })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_option', option: blamed })
  })
})
