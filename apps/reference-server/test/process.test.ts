import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repository } from './project.js'

let folder: string
let children: ChildProcess[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'process-'))
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function launch(environment: Record<string, string>, args: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, ['apps/reference-server/dist/main.js', ...args], {
    cwd: repository,
    env: {
      PATH: process.env['PATH'],
      HOST: '',
      PORT: '0',
      PUBLIC_URL: '',
      DATA_DIR: join(folder, 'data'),
      ...environment,
    },
  })
  children.push(child)
  return child
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  const [out, err] = [text(child.stdout!), text(child.stderr!)]
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: await out, err: await err }
}

async function untilReady(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /Open\s+(http:\S+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('it ended without printing its address')
}

describe('the command line', () => {
  it('has a help and a version', async () => {
    const [help, version] = [await outcome(launch({}, ['--help'])), await outcome(launch({}, ['--version']))]
    expect(help).toMatchObject({ code: 0, err: '' })
    for (const name of ['HOST', 'PORT', 'PUBLIC_URL', 'DATA_DIR', 'REDIS_URL', '--records'])
      expect(help.out).toContain(name)
    expect(version).toMatchObject({ code: 0, err: '' })
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('what cannot work', () => {
  it.each([
    ['an unknown argument', {}, ['--nope'], /--nope/],
    ['records that are no number', {}, ['--records', '1e3'], /^--records/],
    [
      'a REDIS_URL where nobody answers',
      { REDIS_URL: 'redis://127.0.0.1:1' },
      [],
      /^REDIS_URL cannot be used: ECONNREFUSED/,
    ],
    ['a wrong PORT', { PORT: '70000' }, [], /^PORT/],
    ['a wrong PUBLIC_URL', { PUBLIC_URL: 'my-site.org' }, [], /^PUBLIC_URL/],
    ['a HOST of another machine', { HOST: '192.0.2.1' }, [], /^HOST/],
  ])('%s gives one line and exit code 1', async (_name, environment, args, line) => {
    const { code, out, err } = await outcome(launch(environment, args))
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(line)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('a busy port gives one line and exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      const { code, err } = await outcome(launch({ PORT: String(port) }))
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
      const { code, err } = await outcome(launch({ DATA_DIR: '/proc/none' }))
      expect({ code, err }).toEqual({ code: 1, err: 'DATA_DIR /proc/none cannot be written to: ENOENT.\n' })
    },
  )

  it('a DATA_DIR that is a file gives one line and exit code 1', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const { code, err } = await outcome(launch({ DATA_DIR: file }))
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
      const { code, err } = await outcome(launch({ DATA_DIR: locked }))
      expect({ code, err }).toEqual({ code: 1, err: `DATA_DIR ${locked} cannot be written to: EACCES.\n` })
    },
  )
})

const redisIsMissing = spawnSync('redis-server', ['--version']).status !== 0

describe.skipIf(redisIsMissing)(
  `REDIS_URL${redisIsMissing ? ' (skipped: redis-server is missing)' : ''}`,
  () => {
    it('makes two servers count as one', async () => {
      const port = await freePort()
      const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--dir', folder])
      children.push(redis)
      for await (const line of createInterface({ input: redis.stdout }))
        if (line.includes('Ready to accept connections')) break
      const environment = { REDIS_URL: `redis://127.0.0.1:${port}`, ASK_LIMIT: '3/day' }
      const origins = [await untilReady(launch(environment)), await untilReady(launch(environment))]
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
  },
)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('the demonstration', () => {
  it('visits a server of its own, and everything works', async () => {
    const child = spawn(process.execPath, ['apps/reference-server/dist/demo.js'], { cwd: repository })
    children.push(child)
    const { code, out, err } = await outcome(child)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('second sync: 0 changes')
    expect(out).toMatch(/All of it worked\.\n$/)
  }, 120_000)

  it('ends with exit code 1 when something fails', async () => {
    const child = spawn(process.execPath, ['apps/reference-server/dist/demo.js'], {
      cwd: repository,
      env: { ...process.env, TMPDIR: '/proc', TMP: '/proc' },
    })
    children.push(child)
    expect((await outcome(child)).code).toBe(1)
  })
})

describe.skipIf(process.platform === 'win32')('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends it with exit code 0', async (signal) => {
    const child = launch({})
    await untilReady(child)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('one Ctrl+C that arrives twice still ends it cleanly', async () => {
    const child = launch({})
    await untilReady(child)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
