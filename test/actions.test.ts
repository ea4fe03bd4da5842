import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from './workspace-packages.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'action-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

interface Result {
  readonly code: number | null
  readonly argv: readonly string[]
  readonly output: string
  readonly summary: string
}

type Inputs = Readonly<Record<string, string>>

/** The actions, with what each passes on of its own and the defaults of its inputs. */
const ACTIONS: readonly { readonly runner: string; readonly inputs: Inputs }[] = [
  { runner: 'aadp-conformance', inputs: { PROTOCOL_VERSION: '1.0', PROFILE: 'core', ENTITIES: '25' } },
  { runner: 'ahp-conformance', inputs: { PROFILE: '', PROBES: '', AHP_TOKEN: '' } },
]

/** Runs the script of an action with an `npx` that notes its arguments and runs the command as built here. */
function runAction({ runner, inputs: defaults }: (typeof ACTIONS)[number], inputs: Inputs): Result {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const command = join(projectRoot, 'packages', runner, 'dist/bin', `${runner}.js`)
  const shim = [
    '#!/usr/bin/env bash',
    `printf '%s\\0' "$@" >"${join(folder, 'argv')}"`,
    `while [[ $1 != ${runner} ]]; do shift; done`,
    'shift',
    `exec "${process.execPath}" "${command}" "$@"`,
  ]
  writeFileSync(join(bin, 'npx'), `${shim.join('\n')}\n`)
  chmodSync(join(bin, 'npx'), 0o755)
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const { status } = spawnSync('bash', [join(projectRoot, '.github/actions', runner, 'run.sh')], {
    cwd: folder,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      ...files,
      ...defaults,
      REPORTS: 'reports',
      PACKAGE_VERSION: 'latest',
      ...inputs,
    },
  })
  return {
    code: status,
    argv: readFileSync(join(folder, 'argv'), 'utf8').split('\0').slice(0, -1),
    output: readFileSync(files.GITHUB_OUTPUT, 'utf8'),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
  }
}

describe.skipIf(process.platform === 'win32').each(ACTIONS)('the action for $runner', (action) => {
  it('leaves every report, a summary and the exit code of the command', () => {
    const { code, output, summary } = runAction(action, { BASE_URL: 'http://127.0.0.1:1' })
    expect(code).toBe(2)
    expect(output).toBe('exit-code=2\nstatus=failed\n')
    expect(summary).toContain(`## ❌ ${action.runner}: failed`)
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual([
      'junit.xml',
      'report.json',
      'report.md',
      'report.sarif',
    ])
  })

  it('does not take the reports of an earlier run for its own', () => {
    mkdirSync(join(folder, 'reports'))
    writeFileSync(join(folder, 'reports', 'report.json'), '{"status":"passed"}')
    expect(runAction(action, { BASE_URL: 'no target' }).output).toBe('exit-code=2\nstatus=\n')
  })

  it('passes its inputs on as they are', () => {
    const { argv, output } = runAction(action, {
      BASE_URL: '$(touch hacked); --help',
      HEADERS: 'X-Key: a b\n\nX-Other: `id`\n',
      ARGUMENTS: '--max-redirects\n7',
      FAIL_ON_WARNING: 'true',
    })
    expect(argv).toEqual(
      expect.arrayContaining([
        '--header',
        'X-Key: a b',
        'X-Other: `id`',
        '--max-redirects',
        '7',
        '--fail-on-warning',
      ]),
    )
    expect(argv.slice(-2)).toEqual(['--', '$(touch hacked); --help'])
    expect(readdirSync(folder)).not.toContain('hacked')
    expect(output).toBe('exit-code=2\nstatus=\n')
  })
})

it.skipIf(process.platform === 'win32')(
  'the action for ahp-conformance keeps the token out of the arguments',
  () => {
    const [, action] = ACTIONS
    if (action === undefined) throw new Error('There is no such action.')
    writeFileSync(join(folder, 'probes.json'), '{"maxTurns":0}')
    const inputs = {
      BASE_URL: 'https://a.test',
      AHP_TOKEN: 'two words',
      PROBES: 'probes.json',
      PROFILE: 'mode1',
    }
    const { code, argv } = runAction(action, inputs)
    expect(code).toBe(2)
    expect(argv).toEqual(expect.arrayContaining(['--profile', 'mode1', '--probes', 'probes.json']))
    expect(argv).not.toContain('two words')
  },
)
