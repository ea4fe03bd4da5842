import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from '@internal/loopback'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectRoot } from './workspace-packages.js'

const run = promisify(execFile)
let dataFolder: string
let server: ChildProcess
let origin: string

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'readme-'))
  server = spawn(process.execPath, ['apps/reference-server/dist/main.js'], {
    cwd: projectRoot,
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: '', DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  origin = await originPrintedBy(server)
})

afterAll(async () => {
  server.kill()
  await rm(dataFolder, { recursive: true, force: true })
})

it('reads every document of the reference server with the script of the README', async () => {
  const script = await scriptUnder('Read it all')
  expect(script.trim().split('\n').length).toBeLessThanOrEqual(10)

  const lines = (await readAll(origin)).split('\n')
  expect(lines.every((line) => /^[a-z]+:[a-z0-9-]+ sha256:[0-9a-f]{64} \S/.test(line))).toBe(true)
  const ids = lines.map((line) => line.split(' ')[0])
  expect(ids).toEqual(expect.arrayContaining(['guide:overview', 'package:aadp-schemas', 'spec:aadp-v1-0']))
  expect(new Set(ids).size).toBe(ids.length)
})

it('reads what the example of the README publishes', async () => {
  const port = await freePort()
  const example = (await scriptUnder('Publish your own')).replaceAll('8080', String(port))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', example], {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await expect.poll(() => canConnect(port), { timeout: 10_000 }).toBe(true)
    expect(await readAll(`http://127.0.0.1:${port}`)).toMatch(/^book:dune sha256:[0-9a-f]{64} Dune$/)
  } finally {
    child.kill()
  }
})

/** What the reading script of the README prints for an origin. */
async function readAll(from: string): Promise<string> {
  const script = await scriptUnder('Read it all')
  const args = ['--input-type=module', '--eval', script, '-', from]
  return (await run(process.execPath, args, { cwd: projectRoot })).stdout.trim()
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => {
      resolve(false)
    })
  })
}

async function originPrintedBy(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /Open\s+(http:\S+)/.exec(line)?.[1]
    if (url !== undefined) return new URL(url).origin
  }
  throw new Error('the server ended without printing its address')
}

/** The first JavaScript block of a section of the README. */
async function scriptUnder(title: string): Promise<string> {
  const text = await readFile(join(projectRoot, 'README.md'), 'utf8')
  const section = text.split(/^## /m).find((candidate) => candidate.startsWith(`${title}\n`))
  const script = /```js\n([^]*?)```/.exec(section ?? '')?.[1]
  if (script === undefined) throw new Error(`the README has no script under ${title}`)
  return script
}
