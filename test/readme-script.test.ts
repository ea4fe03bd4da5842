import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
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

it('reads every document of the running server with the script of the README', async () => {
  const script = await scriptOf(join(projectRoot, 'README.md'))
  expect(script.trim().split('\n').length).toBeLessThanOrEqual(10)

  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script, '-', origin], {
    cwd: projectRoot,
  })
  const lines = stdout.trim().split('\n')
  expect(lines.every((line) => /^[a-z]+:[a-z0-9-]+ sha256:[0-9a-f]{64} \S/.test(line))).toBe(true)
  const ids = lines.map((line) => line.split(' ')[0])
  expect(ids).toEqual(expect.arrayContaining(['guide:overview', 'package:aadp-client', 'spec:aadp-v1-0']))
  expect(new Set(ids).size).toBe(ids.length)
})

async function originPrintedBy(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /Open\s+(http:\S+)/.exec(line)?.[1]
    if (url !== undefined) return new URL(url).origin
  }
  throw new Error('the server ended without printing its address')
}

/** The first JavaScript block under "Read it all". */
async function scriptOf(readme: string): Promise<string> {
  const text = await readFile(readme, 'utf8')
  const script = /\n## Read it all\n[^]*?```js\n([^]*?)```/.exec(text)?.[1]
  if (script === undefined) throw new Error('the README has no script')
  return script
}
