import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { Budget } from '../src/options/budget.js'
import { resolveClientOptions } from '../src/options/client-options.js'
import { Site } from './site.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'doorplate-readme-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Runs a JavaScript block of the README against a site on loopback, which has to be allowed by name. */
async function runExample(number: number, site: Site): Promise<{ stdout: string; stderr: string }> {
  const code = [...readme.matchAll(/```js\n([\s\S]*?)```/g)][number]?.[1] ?? ''
  const script = code
    .replace('https://books.example', site.origin)
    .replace('./mirror.db', join(folder, 'mirror.db'))
    .replace(/onError: 'skip',?\s*\}/, "onError: 'skip', fetch: testFetch }")
  const prelude = `
    import { createSafeFetch } from '@doorplate/safe-fetch'
    const testFetch = createSafeFetch({ dangerouslyAllow: ['${site.host}'] })
    setTimeout(() => testFetch.close(), 3_000).unref()`
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', `${prelude}\n${script}`], {
    cwd: new URL('..', import.meta.url),
  })
}

describe('the README', () => {
  it('mirrors a site in its first example, in ten lines', async () => {
    expect((/```js\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? '').split('\n').length).toBeLessThanOrEqual(10)
    await using site = await new Site({ counts: { book: 2 } }).start()
    expect((await runExample(0, site)).stdout).toBe('created book:e0\ncreated book:e1\n0 unchanged\n')
    expect((await runExample(0, site)).stdout).toBe('2 unchanged\n')
  })

  it('walks a site in its second example', async () => {
    await using site = await new Site({ counts: { book: 1, page: 1 } }).start()
    expect((await runExample(1, site)).stdout).toBe('book:e0 2026-01-02T03:04:05Z\ntrue []\n')
  })

  it('says what its second example prints where there is no site', async () => {
    await using site = await new Site().start()
    site.fault('/.well-known/ai-manifest.json', (request) => request.destroy())
    const { stderr } = await runExample(1, site)
    const printed = stderr.trim().replace(site.origin, 'https://books.example')
    expect(printed).not.toBe('')
    expect(readme).toContain(printed)
  })

  it('gives the defaults that are in force', () => {
    const options: Record<string, unknown> = {
      ...resolveClientOptions({}),
      ...new Budget({}, Date.now).limits,
    }
    for (const name of [
      'timeoutMs',
      'maxRedirects',
      'maxResponseBytes',
      'maxPages',
      'maxEntities',
      'deadlineMs',
    ]) {
      const row = new RegExp(`\\| \`${name}\`\\s*\\| ([\\d ]+?)\\s*\\|`).exec(readme)
      expect([name, Number(row?.[1]?.replaceAll(' ', ''))]).toEqual([name, options[name]])
    }
  })

  it('names every error code', () => {
    const source = readFileSync(new URL('../src/errors.ts', import.meta.url), 'utf8')
    const union = /AadpClientErrorCode =([\s\S]*?)\n\n/.exec(source)?.[1] ?? ''
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
    expect(codes.length).toBeGreaterThan(15)
    for (const code of codes) expect(readme).toContain(`\`${code ?? ''}\``)
  })
})
