import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { programOf } from '@internal/runtimes'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askEverything } from './ask-everything.js'
import { openSite } from './portable-site.js'

const run = promisify(execFile)
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Asks the site within a runtime and prints what it said; bundled, so that the runtime needs no packages. */
const PROGRAM = `
import { askEverything } from ${JSON.stringify(here('ask-everything.ts'))}
import { openSite } from ${JSON.stringify(here('portable-site.ts'))}
`

let folder = ''
let expected: unknown

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ahp-converse-portability-'))
  await writeFile(
    join(folder, 'program.mjs'),
    await bundled('console.log(JSON.stringify(await askEverything(await openSite())))'),
  )
  expected = await askEverything(await openSite())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function bundled(last: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM + last, resolveDir: here('.') },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['workerd', 'worker'],
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

const bun = programOf('bun')
const deno = programOf('deno')

async function printed(program: string, ...args: readonly string[]): Promise<unknown> {
  return JSON.parse((await run(program, [...args, join(folder, 'program.mjs')])).stdout)
}

it('what runtimes are compared by is answered, also by the other ways in', () => {
  const answered = (expected as readonly (readonly [string, number, unknown, string])[])
    .filter(([path]) => path === '/mcp' || path === '/openapi.json' || path.startsWith('/capabilities/'))
    .map(([path, status, , text]) => [path, status, text.includes('refund') || text.includes('Ünïcode')])
  expect(answered.map((one) => one.join(' '))).toEqual([
    '/openapi.json 200 false',
    '/capabilities/help 200 true',
    '/capabilities/members 401 false',
    '/mcp 200 false',
    '/mcp 200 false',
    '/mcp 200 true',
    '/mcp 401 false',
    '/mcp 200 true',
    '/mcp 200 false',
    '/mcp 200 false',
    '/mcp 200 true',
  ])
})

describe('the same answers', () => {
  it('on Node, without code generation', async () => {
    expect(await printed(process.execPath, '--disallow-code-generation-from-strings')).toEqual(expected)
  })

  it.skipIf(bun === undefined)('on Bun (skipped where its npm package has no program)', async () => {
    expect(await printed(bun ?? '')).toEqual(expected)
  })

  it.skipIf(deno === undefined)(
    'on Deno with no permission (skipped where its npm package has no program)',
    async () => {
      expect(
        await printed(deno ?? '', 'run', '--no-prompt', '--no-remote', '--no-npm', '--no-config'),
      ).toEqual(expected)
    },
  )

  it('on Workers', async () => {
    const script = await bundled(
      'export default { fetch: async () => Response.json(await askEverything(await openSite())) }',
    )
    const worker = new Miniflare({ modules: true, script, compatibilityDate: '2025-01-01' })
    try {
      expect(await (await worker.dispatchFetch('http://worker/')).json()).toEqual(expected)
    } finally {
      await worker.dispose()
    }
  })
}, 120_000)
