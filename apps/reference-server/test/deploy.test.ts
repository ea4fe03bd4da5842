import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPrograms, untilReady, type Programs } from './program.js'
import { repository } from './project.js'

const DEPLOY = 'apps/reference-server/deploy'
const run = promisify(execFile)

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8')
}

interface Instruction {
  readonly name: string
  readonly value: string
}

/** The instructions of a container file, by stage. */
function stagesOf(text: string): readonly (readonly Instruction[])[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  const stages: Instruction[][] = []
  for (const line of lines.filter((candidate) => candidate.trim() !== '')) {
    const [, name = '', value = ''] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? expect.fail(`No instruction: ${line}`)
    if (name === 'FROM') stages.push([])
    stages.at(-1)!.push({ name, value: value.replace(/\s+/g, ' ') })
  }
  return stages
}

describe('the container file', () => {
  const [build = [], served = []] = stagesOf(read(`${DEPLOY}/Containerfile`))
  const valuesIn = (stage: readonly Instruction[], wanted: string): string[] =>
    stage.filter(({ name }) => name === wanted).map(({ value }) => value)

  it('ends as somebody without rights, who is asked for health and told to stop', () => {
    expect(valuesIn(served, 'FROM')[0]).toMatch(/^docker\.io\/library\/node:22-bookworm-slim$/)
    const order = served.map(({ name }) => name)
    expect(valuesIn(served, 'USER')).toEqual(['node'])
    expect(order.indexOf('USER')).toBeLessThan(order.indexOf('ENTRYPOINT'))
    expect(order.slice(order.indexOf('USER'))).not.toContain('RUN')
    expect(valuesIn(served, 'STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(valuesIn(served, 'HEALTHCHECK')[0]).toContain('/served/apps/reference-server/dist/healthcheck.js')
    expect(valuesIn(served, 'VOLUME')).toEqual(['/data'])
    expect(valuesIn(served, 'ENV')[0]).toContain('DATA_DIR=/data')
  })

  it('names what there is', () => {
    const commands = valuesIn(build, 'RUN').join(' && ')
    const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string }
    expect(new Set(commands.match(/pnpm@[\d.]+/g))).toEqual(new Set([packageManager]))
    const [, copied = ''] = /cp -r (.+?) \/served\//.exec(commands) ?? []
    expect(copied.split(' ').length).toBeGreaterThan(3)
    for (const path of copied.split(' '))
      expect([path, existsSync(join(repository, path))]).toEqual([path, true])
    const [entry = ''] = valuesIn(served, 'ENTRYPOINT')
    expect(JSON.parse(entry)).toEqual(['node', '/served/apps/reference-server/dist/main.js'])
    const { files } = JSON.parse(read('apps/reference-server/package.json')) as { files: string[] }
    expect(files).toEqual(expect.arrayContaining(['assets', 'dist']))
  })
})

describe('how to run the container', () => {
  it.each(['apps/reference-server/README.md', `${DEPLOY}/Containerfile`])(
    'names the address that people type (%s)',
    (path) => {
      const commands = read(path).match(/podman run(?:.*\\\n)*.*/g) ?? []
      expect(commands).toHaveLength(1)
      expect(commands[0]).toMatch(/ -e PUBLIC_URL=https:\/\/\S+ doorplate$/)
    },
  )
})

describe('the health check', () => {
  let folder: string
  let programs: Programs

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deploy-'))
    programs = createPrograms(folder)
  })

  afterEach(async () => {
    programs.end()
    await rm(folder, { recursive: true, force: true })
  })

  it('ends with 0 while the server is ready, and with 1 when it is gone', async () => {
    const program = programs.launch()
    const { port } = new URL(await untilReady(program))
    const check = (): Promise<unknown> =>
      run(process.execPath, ['apps/reference-server/dist/healthcheck.js'], {
        cwd: repository,
        env: { PORT: port },
      })
    await expect(check()).resolves.toMatchObject({ stdout: '', stderr: '' })
    programs.end()
    await expect
      .poll(() => check().then(Number, (error: unknown) => (error as { code: number }).code))
      .toBe(1)
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe('the systemd unit', () => {
  const unit = `${DEPLOY}/doorplate.service`

  it('starts what there is, with what there is', () => {
    const [, program = '', flag = ''] =
      /^ExecStart=\/usr\/bin\/node \/opt\/doorplate\/(\S+) (\S+) /m.exec(read(unit)) ?? []
    expect(program).toBe('apps/reference-server/dist/main.js')
    expect(flag).toBe('--config')
    expect(read(unit)).toMatch(/^StateDirectory=doorplate$/m)
    expect(read(unit)).toMatch(/^RestartPreventExitStatus=2$/m)
    expect(read(unit)).toMatch(/^Environment=.*DATA_DIR=\/var\/lib\/doorplate$/m)
  })

  it.skipIf(!hasSystemd)(
    `is valid and exposes little${hasSystemd ? '' : ' (skipped: systemd-analyze is missing)'}`,
    async () => {
      const { stdout } = await run('systemd-analyze', ['security', '--offline=true', unit], {
        cwd: repository,
      })
      const [, exposure = 'none'] =
        /Overall exposure level for doorplate\.service: ([\d.]+)/.exec(stdout) ?? []
      expect(Number(exposure)).toBeLessThan(2)
      const verified = await run('systemd-analyze', ['verify', unit], { cwd: repository }).catch(
        (error: unknown) => error as { stderr: string },
      )
      // Programs that are elsewhere on this machine are the one thing that may be missing.
      const complaints = verified.stderr.split('\n').filter((line) => !/^$|is not executable/.test(line))
      expect(complaints).toEqual([])
    },
  )
})
