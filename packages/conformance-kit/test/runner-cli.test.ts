import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runRunnerCli, UsageError, type Clock, type RunnerCli } from '../src/cli.js'
import {
  judged,
  parseReport,
  RequestLog,
  runChecks,
  type Check,
  type ConformanceReport,
  type Outcome,
} from '../src/index.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runner-cli-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const REQUIREMENT = { id: 'R-1', level: 'MUST', text: 'It must.' } as const

/** A runner over one check with this outcome. */
function cliOver(outcome: Outcome | (() => never)): RunnerCli {
  const check: Check<null> = {
    id: 'demo.check',
    title: 'All is well',
    requirements: ['R-1'],
    hint: 'Do it.',
    run: () => (typeof outcome === 'function' ? outcome() : outcome),
  }
  const requirementOf = (id: string): typeof REQUIREMENT | undefined =>
    id === 'R-1' ? REQUIREMENT : undefined
  return {
    name: 'demo-conformance',
    version: '1.2.3',
    protocol: 'demo',
    summary: 'Checks a demo.',
    informationUri: 'https://demo.test',
    options: [{ name: 'max-pages', kind: 'integer', value: '<n>', help: 'pages' }],
    plan: (line) => {
      line.integer('max-pages')
      const [baseUrl] = line.positionals
      if (baseUrl === 'nonsense') throw new UsageError('The base URL is nonsense.')
      const about = { protocolVersion: '1.0', checks: [check], requirementOf }
      if (baseUrl === undefined) return about
      return { ...about, baseUrl, run: (hooks) => run(check, baseUrl, requirementOf, hooks) }
    },
  }
}

function run(
  check: Check<null>,
  baseUrl: string,
  requirementOf: (id: string) => typeof REQUIREMENT | undefined,
  { signal, onCheck, onRequest }: Parameters<NonNullable<ReturnType<RunnerCli['plan']>['run']>>[0],
): Promise<ConformanceReport> {
  const log = new RequestLog(() => Promise.reject(new Error('no network')), { signal, onRequest })
  log.close()
  return runChecks([check], null, {
    protocol: 'demo',
    protocolVersion: '1.0',
    baseUrl,
    runner: { name: 'demo-conformance', version: '1.2.3' },
    requirementOf,
    log,
    onCheck,
  })
}

interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function execute(cli: RunnerCli, ...argv: readonly string[]): Promise<Printed> {
  return executeOn({}, cli, ...argv)
}

async function executeOn(
  terminal: { readonly isTTY?: boolean; readonly clock?: Clock },
  cli: RunnerCli,
  ...argv: readonly string[]
): Promise<Printed> {
  const { isTTY, clock } = terminal
  const texts = { stdout: '', stderr: '' }
  const code = await runRunnerCli(cli, argv, {
    stdout: { write: (text) => (texts.stdout += text) },
    stderr: { isTTY, write: (text) => (texts.stderr += text) },
    env: {},
    signal: new AbortController().signal,
    ...(clock && { clock }),
  })
  return { code, ...texts }
}

const passing = cliOver(judged([]))
const failing = cliOver(judged([{ requirement: 'R-1', message: 'no' }]))

describe('a run', () => {
  it('prints a report and exits by the verdict', async () => {
    const { code, stdout, stderr } = await execute(passing, 'https://site.test')
    expect(stdout).toContain('  PASS  demo.check  All is well')
    expect(stdout).toContain('RESULT: PASSED')
    expect([code, stderr]).toEqual([0, ''])
    expect((await execute(failing, 'https://site.test')).code).toBe(1)
  })

  it('prints the JSON report and nothing else', async () => {
    const { stdout } = await execute(failing, 'https://site.test', '--json')
    expect(parseReport(stdout)).toMatchObject({ status: 'failed', base_url: 'https://site.test' })
  })

  it('prints nothing of what passed when quiet', async () => {
    expect((await execute(passing, 'https://site.test', '--quiet')).stdout).not.toContain('PASS ')
    expect((await execute(failing, 'https://site.test', '--quiet')).stdout).toContain('FAIL')
  })

  it('writes every report', async () => {
    const kinds = ['output', 'junit', 'sarif', 'markdown', 'request-log']
    const argv = kinds.flatMap((kind) => [`--${kind}`, join(folder, kind)])
    expect((await execute(failing, 'https://site.test', ...argv)).code).toBe(1)
    const texts = kinds.map((kind) => readFileSync(join(folder, kind), 'utf8'))
    expect(texts.map((text) => text.slice(0, 9))).toEqual([
      '{\n  "repo',
      '<?xml ver',
      '{\n  "$sch',
      '## ❌ demo',
      '',
    ])
  })

  it('is no pass when a report cannot be written', async () => {
    const path = join(folder, 'absent', 'report.json')
    const { code, stdout, stderr } = await execute(passing, 'https://site.test', '--output', path)
    expect(code).toBe(2)
    expect(stdout).toContain('RESULT: PASSED')
    expect(stderr).toContain('--output: cannot write')
  })

  it('that breaks says so without a stack and exits with 3', async () => {
    const broken = cliOver(() => {
      throw new Error('bug')
    })
    const { code, stdout } = await execute(broken, 'https://site.test')
    expect(code).toBe(3)
    expect(stdout).toContain('internal_error: Check demo.check broke: bug')
    expect(stdout).toContain('RESULT: CANNOT JUDGE')
    expect(stdout).not.toContain('.ts:')
  })
})

describe('progress', () => {
  /** Three seconds pass while a check runs. */
  function slowRun(...argv: readonly string[]): Promise<Printed & { readonly isStopped: boolean }> {
    let tick = (): void => undefined
    let nowMs = 0
    let isStopped = false
    const clock: Clock = {
      now: () => nowMs,
      every: (_, work) => {
        tick = work
        return () => (isStopped = true)
      },
    }
    const slow = cliOver(() => {
      nowMs = 3_000
      tick()
      throw new Error('after a while')
    })
    return executeOn({ isTTY: argv.length === 0, clock }, slow, 'https://site.test', ...argv).then(
      (printed) => ({ ...printed, isStopped }),
    )
  }

  it('is shown while a run lasts, and gone before its report', async () => {
    expect(await slowRun()).toMatchObject({
      stderr: '\r\u001b[2Kdemo-conformance: 3 s, 0 requests, 0 checks done\r\u001b[2K',
      isStopped: true,
    })
  })

  it('stays out of files unless asked for', async () => {
    expect((await slowRun('--json')).stderr).toBe('')
    expect((await slowRun('--progress')).stderr).toBe('demo-conformance: 3 s, 0 requests, 0 checks done\n')
  })
})

describe('the command line', () => {
  it.each([
    [[]],
    [['nonsense']],
    [['https://site.test', '--unknown']],
    [['https://site.test', '--max-pages', 'many']],
    [['https://site.test', '--max-pages']],
    [['https://site.test', '--max-pages=-1']],
    [['diff', 'only-one.json']],
    [['diff', 'absent.json', 'absent.json']],
  ])('%j is not performed: exit 2, a message, an empty stdout', async (argv) => {
    const { code, stdout, stderr } = await execute(passing, ...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^demo-conformance: .+\nTry demo-conformance --help\.\n$/s)
    expect(stderr).not.toContain('    at ')
  })

  it('names the option that there is not', async () => {
    const { stderr } = await execute(passing, 'https://site.test', '--unknown')
    expect(stderr).toBe("demo-conformance: Unknown option '--unknown'.\nTry demo-conformance --help.\n")
  })

  it.each([
    [['https://site.test', '--\u001b[2J\u202e']],
    [['https://site.test', '--max-pages', '\u009b2J\u202e']],
    [['--explain', '\u001b[2J\u{e0041}']],
    [['diff', '\u001b[2J\u202e', 'later.json']],
  ])('shows what is wrong with %j without doing it', async (argv) => {
    const { stderr } = await execute(passing, ...argv)
    expect(stderr).toContain('\\u')
    expect(stderr).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
  })

  it('names the check that was meant, and says where they are listed', async () => {
    expect(await execute(passing, '--explain', 'demo.chek')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'demo-conformance: There is no check "demo.chek". Did you mean demo.check?\nTry demo-conformance --list.\n',
    })
    expect((await execute(passing, '--explain', 'dmo.*')).stderr).toContain('Did you mean demo.*?')
    expect((await execute(passing, '--explain', 'absent')).stderr).not.toContain('Did you mean')
  })

  it('names the option that was meant', async () => {
    const { stderr } = await execute(passing, 'https://site.test', '--max-page', '5')
    expect(stderr).toContain("Unknown option '--max-page'. Did you mean --max-pages?\n")
  })

  it('lists and explains checks without a target', async () => {
    expect((await execute(passing, '--list')).stdout).toBe('demo.check  MUST    All is well\n')
    const explained = await execute(passing, '--explain', 'demo.check')
    expect(explained.stdout).toContain('R-1 MUST: It must.')
    expect(explained.stdout).toContain('Fix: Do it.')
  })

  it('tells its version and its exit codes', async () => {
    expect(await execute(passing, '--version')).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' })
    const { stdout } = await execute(passing, '--help')
    expect(stdout).toContain('--max-pages <n>')
    expect(stdout).toContain('4  inconclusive')
    expect(stdout).not.toContain('without a scheme')
    expect((await execute(passing, '-h')).stdout).toBe(stdout)
  })

  it.each<readonly [string, boolean, Readonly<Record<string, string>>, boolean]>([
    ['a terminal', true, {}, true],
    ['a file', false, {}, false],
    ['a terminal without abilities', true, { TERM: 'dumb' }, false],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a file with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true],
  ])('on %s: colours or not', async (_, isTTY, env, isColored) => {
    let stdout = ''
    await runRunnerCli(failing, ['https://site.test'], {
      stdout: { isTTY, write: (text) => (stdout += text) },
      stderr: { write: () => undefined },
      env,
      signal: new AbortController().signal,
    })
    expect(stdout.includes('\u001b[31m')).toBe(isColored)
  })

  it('uses colours when asked to', async () => {
    expect((await execute(failing, 'https://site.test', '--color')).stdout).toContain('\u001b[31m')
    expect((await execute(failing, 'https://site.test', '--color', '--no-color')).stdout).not.toContain(
      '\u001b',
    )
  })
})

describe('diff', () => {
  it('compares two reports and fails on what became worse', async () => {
    const [good, bad] = ['good.json', 'bad.json'].map((name) => join(folder, name)) as [string, string]
    await execute(passing, 'https://site.test', '--output', good)
    await execute(failing, 'https://site.test', '--output', bad)
    expect(await execute(passing, 'diff', good, bad)).toMatchObject({ code: 1 })
    const hostile = join(folder, 'hostile.json')
    writeFileSync(hostile, readFileSync(bad, 'utf8').replace('https://site.test', '\u009b2J\u202e'))
    const { stdout } = await execute(passing, 'diff', good, hostile, '--json')
    expect(stdout).toContain('"\\u009b2J\\u202e"')
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
    expect((await execute(passing, 'diff', bad, good)).stdout).toContain('0 worse, 1 better')
    const elsewhere = await execute(passing, 'https://other.test', '--output', bad)
    expect(elsewhere.code).toBe(0)
    expect((await execute(passing, 'diff', good, bad)).stdout).toMatch(
      /^Warning: the runs were not alike.+\n {2}base_url {2}https:\/\/site\.test -> https:\/\/other\.test\n/,
    )
    writeFileSync(bad, readFileSync(bad, 'utf8').replace('"demo"', '"other"'))
    expect(await execute(passing, 'diff', good, bad)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('The reports are about demo and other.') as string,
    })
    writeFileSync(bad, '{"report_version":"1"}')
    expect(await execute(passing, 'diff', good, bad)).toMatchObject({ code: 2, stdout: '' })
  })
})
