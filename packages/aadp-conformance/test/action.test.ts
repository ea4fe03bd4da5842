import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot } from '@internal/vectors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aadp-action-'))
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

/** Runs the script of the action with an `npx` that notes its arguments and runs the command as built here. */
function runAction(inputs: Readonly<Record<string, string>>): Result {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const command = fileURLToPath(new URL('../dist/bin/aadp-conformance.js', import.meta.url))
  const shim = [
    '#!/usr/bin/env bash',
    `printf '%s\\0' "$@" >"${join(folder, 'argv')}"`,
    'while [[ $1 != aadp-conformance ]]; do shift; done',
    'shift',
    `exec "${process.execPath}" "${command}" "$@"`,
  ]
  writeFileSync(join(bin, 'npx'), `${shim.join('\n')}\n`)
  chmodSync(join(bin, 'npx'), 0o755)
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const { status } = spawnSync('bash', [join(projectRoot, '.github/actions/aadp-conformance/run.sh')], {
    cwd: folder,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      ...files,
      PROTOCOL_VERSION: '1.0',
      PROFILE: 'core',
      ENTITIES: '25',
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

describe.skipIf(process.platform === 'win32')('the action', () => {
  it('leaves every report, a summary and the exit code of the command', () => {
    const { code, output, summary } = runAction({ BASE_URL: 'http://127.0.0.1:1' })
    expect(code).toBe(2)
    expect(output).toBe('exit-code=2\nstatus=failed\n')
    expect(summary).toContain('## ❌ aadp-conformance: failed')
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
    expect(runAction({ BASE_URL: 'no target' }).output).toBe('exit-code=2\nstatus=\n')
  })

  it('passes its inputs on as they are', () => {
    const { argv, output } = runAction({
      BASE_URL: '$(touch hacked); --help',
      HEADERS: 'X-Key: a b\n\nX-Other: `id`\n',
      ARGUMENTS: '--max-pages\n7',
      FAIL_ON_WARNING: 'true',
      UNKNOWN_TYPE_URL: 'https://site.test/none',
    })
    expect(argv).toEqual(
      expect.arrayContaining([
        '--header',
        'X-Key: a b',
        'X-Other: `id`',
        '--max-pages',
        '7',
        '--fail-on-warning',
      ]),
    )
    expect(argv.slice(-2)).toEqual(['--', '$(touch hacked); --help'])
    expect(readdirSync(folder)).not.toContain('hacked')
    expect(output).toBe('exit-code=2\nstatus=\n')
  })
})
