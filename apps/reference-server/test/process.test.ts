import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { hasRedis, startRedis } from '@internal/loopback'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeThrowawayCertificate } from '../src/demo/throwaway-certificate.js'
import { createPrograms, outcome, untilReady, type Programs } from './program.js'
import { repository } from './project.js'

const SECRET = `whsec_${'A'.repeat(32)}`
let folder: string
let programs: Programs

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-'))
  programs = createPrograms(folder)
})

afterEach(async () => {
  programs.end()
  await rm(folder, { recursive: true, force: true })
})

describe('the command line', () => {
  it('has a help and a version', async () => {
    const [help, version] = [
      await outcome(programs.launch({}, ['--help'])),
      await outcome(programs.launch({}, ['--version'])),
    ]
    expect(help).toMatchObject({ code: 0, err: '' })
    for (const name of ['--host', '--port', '--public-url', '--data-dir', 'REDIS_URL', '--records'])
      expect(help.out).toContain(name)
    expect(version).toMatchObject({ code: 0, err: '' })
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('what cannot work', () => {
  it.each<[string, number, Record<string, string>, string[], RegExp]>([
    ['an unknown argument', 2, {}, ['--nope'], /--nope/],
    ['records that are no number', 2, {}, ['--records', '1e3'], /^--records/],
    ['a wrong PORT', 2, { PORT: '70000' }, [], /^PORT/],
    ['a wrong PUBLIC_URL', 2, { PUBLIC_URL: 'my-site.org' }, [], /^PUBLIC_URL/],
    ['a --config that is not there', 2, {}, ['--config', '/none.json'], /^--config .none.json .+: ENOENT/],
    [
      'a private host that is none',
      2,
      { CALLBACK_SECRET: SECRET, CALLBACK_PRIVATE_HOSTS: 'a..b' },
      [],
      /^CALLBACK_/,
    ],
    [
      'a REDIS_URL where nobody answers',
      1,
      { REDIS_URL: 'redis://127.0.0.1:1' },
      [],
      /^REDIS_URL cannot be used: ECONNREFUSED/,
    ],
    [
      'a certificate that is not there',
      1,
      { TLS_CERT: '/none', TLS_KEY: '/none' },
      [],
      /^TLS_CERT .none cannot be read/,
    ],
    ['a HOST of another machine', 1, { HOST: '192.0.2.1' }, [], /^HOST/],
  ])('%s gives one line and exit code %i', async (_name, exitCode, environment, args, line) => {
    const { code, out, err } = await outcome(programs.launch(environment, args))
    expect({ code, out }).toEqual({ code: exitCode, out: '' })
    expect(err).toMatch(line)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('a busy port gives one line and exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      const { code, err } = await outcome(programs.launch({ PORT: String(port) }))
      expect({ code, err }).toEqual({
        code: 1,
        err: `Port ${port} on 127.0.0.1 is in use. Stop its program, or set PORT to a free port.\n`,
      })
    } finally {
      other.close()
    }
  })

  it.skipIf(process.platform !== 'linux')(
    'a DATA_DIR where nothing can be created gives one line and exit code 1',
    async () => {
      const { code, err } = await outcome(programs.launch({ DATA_DIR: '/proc/none' }))
      expect({ code, err }).toEqual({ code: 1, err: 'DATA_DIR /proc/none cannot be written to: ENOENT.\n' })
    },
  )

  it('a DATA_DIR that is a file gives one line and exit code 1', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const { code, err } = await outcome(programs.launch({ DATA_DIR: file }))
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^DATA_DIR .+: E[A-Z]+\.\n$/) as string,
    })
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a DATA_DIR without rights gives one line and exit code 1 (not as root, who has all)',
    async () => {
      const locked = join(folder, 'locked')
      await mkdir(locked)
      await chmod(locked, 0o555)
      const { code, err } = await outcome(programs.launch({ DATA_DIR: locked }))
      expect({ code, err }).toEqual({ code: 1, err: `DATA_DIR ${locked} cannot be written to: EACCES.\n` })
    },
  )
})

describe.skipIf(!hasRedis)(`REDIS_URL${hasRedis ? '' : ' (skipped: redis-server is missing)'}`, () => {
  it('makes two servers count as one', async () => {
    await using redis = await startRedis()
    const environment = { REDIS_URL: redis.url, ASK_LIMIT: '3/day' }
    const origins = [
      await untilReady(programs.launch(environment)),
      await untilReady(programs.launch(environment)),
    ]
    const statuses: number[] = []
    for (const origin of [...origins, ...origins]) {
      const response = await fetch(new URL('/agent/converse', origin), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"capability":"contact","query":"Who?"}',
      })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})

describe('the demonstration', () => {
  it('visits a server of its own, and everything works', async () => {
    const child = spawn(process.execPath, ['apps/reference-server/dist/demo.js'], { cwd: repository })
    programs.keep(child)
    const { code, out, err } = await outcome(child)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('second sync: 0 changes')
    // Both suites: every check is judged, by https, and none is left out.
    expect(out.match(/passed: (\d+) of \1 checks passed/g)).toHaveLength(2)
    expect(out).toMatch(/All of it worked\.\n$/)
  }, 120_000)

  it('ends with exit code 1 when something fails', async () => {
    const child = spawn(process.execPath, ['apps/reference-server/dist/demo.js'], {
      cwd: repository,
      env: { ...process.env, TMPDIR: '/proc', TMP: '/proc' },
    })
    programs.keep(child)
    expect((await outcome(child)).code).toBe(1)
  })
})

describe.skipIf(process.platform === 'win32')('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with exit code 0', async (signal) => {
    const child = programs.launch()
    await untilReady(child)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('SIGHUP has it read a renewed certificate', async () => {
    const { certFile, keyFile } = await makeThrowawayCertificate(folder)
    const child = programs.launch({ TLS_CERT: certFile, TLS_KEY: keyFile })
    const log = createInterface({ input: child.stderr! })
    await untilReady(child)
    await makeThrowawayCertificate(folder)
    child.kill('SIGHUP')
    for await (const line of log) if (line.includes('certificate renewed')) break
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('one Ctrl+C that arrives twice still ends it cleanly', async () => {
    const child = programs.launch()
    await untilReady(child)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
