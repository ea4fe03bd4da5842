import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createCertificate } from '@internal/loopback'
import { projectRoot } from '@internal/vectors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runConformance } from '../src/index.js'

let folder = ''
let ca = ''
let child: ChildProcess
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reference-'))
  const { cert, key } = await createCertificate(['127.0.0.1'])
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(certPath, cert)
  writeFileSync(keyPath, key)
  ca = cert
  child = spawn(process.execPath, [join(projectRoot, 'apps/reference-server/dist/main.js')], {
    cwd: projectRoot,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: folder,
      TLS_CERT: certPath,
      TLS_KEY: keyPath,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
})
afterEach(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function originWhenReady(): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const origin = /https:\/\/[\d.]+:\d+/.exec(line)?.[0]
    if (origin !== undefined) return origin
  }
  throw new Error('It ended without its address.')
}

/** The credential of the secured resource, which the server made at its start. */
function customerToken(): string {
  const tokens = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8')) as {
    readonly customer: string
  }
  return tokens.customer
}

/** Its shop, which has what is protected, needs an optional package with a native part. */
function hasShop(): boolean {
  try {
    const require = createRequire(join(projectRoot, 'apps/reference-server/package.json'))
    const Database = require('better-sqlite3') as new (path: string) => { close: () => void }
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}

describe('the reference server of this project', () => {
  it('passes every check, and skips none but what is about the shop where that is not there', async () => {
    const report = await runConformance(await originWhenReady(), {
      allowPrivateNetwork: true,
      ca: [ca],
      entities: 'all',
      headers: { 'x-ahp-key': customerToken() },
    })
    const notPassed = report.checks.filter(({ status }) => status !== 'passed')
    expect(notPassed.map(({ id, status, message }) => `${id} ${status}: ${message ?? ''}`)).toEqual(
      hasShop() ? [] : ['http.protected skipped: No type is protected.'],
    )
    expect(report).toMatchObject({ status: 'passed', complete: true })
  })
})
