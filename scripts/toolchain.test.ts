import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  installCommand,
  installStamp,
  pnpmVersionOf,
  progressLine,
  stepsOf,
  unsupportedNode,
} from './toolchain.js'

const root = new URL('..', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  packageManager: string
  engines: { node: string }
  devDependencies: Record<string, string>
}

describe('unsupportedNode', () => {
  it.each(['v20.18.1', 'v20.20.2', 'v20.19.0', 'v22.0.0', 'v24.1.0', 'v100.0.0'])('accepts %s', (version) => {
    expect(unsupportedNode(version, '>=20.18.1')).toBeUndefined()
  })

  it.each(['v20.18.0', 'v20.9.0', 'v18.20.8', 'v9.11.2'])('refuses %s in one line', (version) => {
    const line = unsupportedNode(version, '>=20.18.1')
    expect(line).toContain('20.18.1 or newer')
    expect(line).toContain(version)
    expect(line).not.toContain('\n')
  })

  it('understands the range this project declares', () => {
    expect(manifest.engines.node).toMatch(/^>=\d+\.\d+\.\d+$/)
  })
})

describe('pnpmVersionOf', () => {
  it('drops the name and an integrity suffix', () => {
    expect(pnpmVersionOf('pnpm@10.34.9')).toBe('10.34.9')
    expect(pnpmVersionOf('pnpm@10.34.9+sha512.abc')).toBe('10.34.9')
  })

  it('is also the pnpm that turbo finds in node_modules/.bin', () => {
    expect(manifest.devDependencies['pnpm']).toBe(pnpmVersionOf(manifest.packageManager))
  })
})

describe('installStamp', () => {
  const state = {
    lockfile: 'a',
    pnpmVersion: '10.34.9',
    platform: 'linux',
    arch: 'x64',
    nodeVersion: 'v20.20.2',
  }

  it('is the same for the same state', () => {
    expect(installStamp({ ...state })).toBe(installStamp(state))
  })

  it.each(['lockfile', 'pnpmVersion', 'platform', 'arch', 'nodeVersion'] as const)(
    'changes with %s',
    (part) => {
      expect(installStamp({ ...state, [part]: 'other' })).not.toBe(installStamp(state))
    },
  )
})

describe('installCommand', () => {
  const machine = {
    root: '/a b',
    pnpmVersion: '10.34.9',
    nodePath: '/bin/node',
    nodeVersion: 'v20.20.2',
    platform: 'linux',
  }

  it('runs pnpm through the npm that started it', () => {
    const command = installCommand({ ...machine, npmExecPath: '/usr/lib/npm/bin/npm-cli.js' })
    expect(command).toMatchObject({ file: '/bin/node', shell: false })
    expect(command.args.slice(0, 8)).toEqual([
      '/usr/lib/npm/bin/npm-cli.js',
      'exec',
      '--yes',
      '--',
      'pnpm@10.34.9',
      '--dir',
      '/a b',
      'install',
    ])
    expect(command.args).toContain('--frozen-lockfile')
  })

  it('uses the pnpm that started it, as a script or as a program', () => {
    const script = installCommand({ ...machine, npmExecPath: '/opt/pnpm/bin/pnpm.cjs' })
    expect([script.file, script.args[0], script.args[3]]).toEqual([
      '/bin/node',
      '/opt/pnpm/bin/pnpm.cjs',
      'install',
    ])
    const program = installCommand({ ...machine, npmExecPath: '/opt/pnpm' })
    expect([program.file, program.args[2]]).toEqual(['/opt/pnpm', 'install'])
  })

  it('has the tools installed that ask for a newer Node than the promised one', () => {
    const npmExecPath = '/opt/pnpm'
    expect(installCommand({ ...machine, npmExecPath }).args.join(' ')).not.toContain('node-version')
    expect(installCommand({ ...machine, npmExecPath, nodeVersion: 'v20.18.1' }).args).toContain(
      '--config.node-version=20.19.0',
    )
  })

  it('recognises a Windows path', () => {
    const npm = String.raw`C:\Program Files\nodejs\node_modules\npm\bin\npm-cli.js`
    const command = installCommand({ ...machine, platform: 'win32', npmExecPath: npm })
    expect([command.file, command.args[0], command.shell]).toEqual(['/bin/node', npm, false])
  })

  it('falls back to npx, through a shell only on Windows', () => {
    expect(installCommand({ ...machine, npmExecPath: undefined })).toMatchObject({
      file: 'npx',
      shell: false,
    })
    expect(installCommand({ ...machine, npmExecPath: undefined, platform: 'win32' })).toMatchObject({
      file: 'npx',
      args: expect.arrayContaining(['"/a b"']) as string[],
      shell: true,
    })
  })
})

describe('progressLine', () => {
  it('says what is done for how long', () => {
    expect(progressLine('Building', { elapsedMs: 12_900, columns: 80 })).toBe('Building ... 12 s')
  })

  it.each([10, 20, 40])('fits a terminal %i columns wide', (columns) => {
    const line = progressLine('Building the reference server', { elapsedMs: 5000, columns })
    expect(line.length).toBeLessThan(columns)
    expect(line).toMatch(/ \.\.\. 5 s$/)
  })
})

describe('stepsOf', () => {
  it('builds, then hands extra arguments to the last step', () => {
    expect(stepsOf('test', ['packages/safe-fetch'])?.map(({ bin, args }) => [bin, args.at(-1)])).toEqual([
      ['turbo', '--output-logs=errors-only'],
      ['vitest', 'packages/safe-fetch'],
    ])
    expect(stepsOf('start', ['--help'])?.at(-1)).toEqual({
      bin: 'node',
      args: ['apps/reference-server/dist/main.js', '--help'],
    })
  })

  it('builds the server and shows a visit to it', () => {
    expect(stepsOf('demo', [])?.map(({ bin, args }) => [bin, args.at(-1)])).toEqual([
      ['turbo', '--filter=@doorplate/reference-server'],
      ['node', 'apps/reference-server/dist/demo.js'],
    ])
  })

  it('knows no other task', () => {
    expect(stepsOf('constructor', [])).toBeUndefined()
    expect(stepsOf(undefined, [])).toBeUndefined()
  })
})
