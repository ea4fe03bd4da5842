import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ManifestV1 } from '@doorplate/aadp-schemas'
import { projectRoot } from '@internal/vectors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runConformance } from '../src/index.js'

let folder = ''
let child: ChildProcess
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-'))
  child = spawn(process.execPath, [join(projectRoot, 'apps/reference-server/dist/main.js')], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
})
afterEach(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function originWhenReady(): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const origin = /http:\/\/[\d.]+:\d+/.exec(line)?.[0]
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

/** The checks that have nothing to look at on a site with this manifest on this machine. */
function withoutSubject({ resources = [], usage_guidance: guidance }: ManifestV1): readonly string[] {
  const languages = guidance?.available_languages ?? []
  return [
    'http.https',
    ...(resources.some(({ security }) => security !== undefined) ? [] : ['http.protected']),
    ...(languages.length > 1 ? [] : ['locale.selection']),
    ...(guidance === undefined ? ['safety.free_text_is_data'] : []),
  ]
}

describe('the reference server of this project', () => {
  it('passes, and nothing is skipped that it publishes', async () => {
    const origin = await originWhenReady()
    const response = await fetch(`${origin}/.well-known/ai-manifest.json`)
    const isCompressed = response.headers.has('content-encoding')
    const expected = withoutSubject((await response.json()) as ManifestV1)
    const report = await runConformance(origin, {
      allowPrivateNetwork: true,
      entities: 'all',
      headers: { 'x-ahp-key': customerToken() },
    })
    const idsOf = (status: string): readonly string[] =>
      report.checks.filter((check) => check.status === status).map(({ id }) => id)
    expect(['failed', 'warning', 'inconclusive'].flatMap(idsOf)).toEqual([])
    expect(new Set(idsOf('skipped'))).toEqual(
      new Set([...expected, ...(isCompressed ? [] : ['http.compression'])]),
    )
    expect(report).toMatchObject({ status: 'passed', complete: true })
  })
})
