import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { programOf } from '@internal/runtimes'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import site from './portable-site.js'

const run = promisify(execFile)

const REQUESTS: readonly [string, Record<string, string>?][] = [
  ['/.well-known/ai-manifest.json'],
  ['/ai/v1.0/sitemap-index.json'],
  ['/ai/v1.0/sitemaps/post.json'],
  ['/ai/v1.0/sitemaps/post.json?locale=vi'],
  ['/ai/v1.0/sitemaps/post.json', { 'if-none-match': '*' }],
  ['/ai/v1.0/entities/post/hello.json'],
  ['/ai/v1.0/entities/post/hello.json', { accept: 'text/markdown' }],
  ['/ai/v1.0/entities/post/hello.json', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
  ['/ai/v1.0/openapi.json'],
  ['/.well-known/api-catalog'],
  ['/llms.txt'],
]

/** Runs inside each runtime: asks the site everything and gives what came back. */
const ASK = `async (site, requests) => {
  const answers = []
  for (const [path, headers = {}] of requests) {
    const response = await site.handleRequest(new Request('https://blog.acme.test' + path, { headers }))
    answers.push([path, response.status, response.headers.get('etag'), response.headers.get('last-modified'), await response.text()])
  }
  return answers
}`

let folder = ''
let expected: unknown

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aadp-server-portability-'))
  await build({
    entryPoints: [fileURLToPath(new URL('portable-site.ts', import.meta.url))],
    outfile: join(folder, 'site.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    conditions: ['worker', 'browser'],
  })
  await writeFile(
    join(folder, 'ask.mjs'),
    `import site from './site.mjs'\nconsole.log(JSON.stringify(await (${ASK})(site, ${JSON.stringify(REQUESTS)})))\n`,
  )
  expected = JSON.parse(
    JSON.stringify(
      await Promise.all(
        REQUESTS.map(async ([path, headers = {}]) => {
          const response = await site.handleRequest(new Request(`https://blog.acme.test${path}`, { headers }))
          const { headers: fields } = response
          return [
            path,
            response.status,
            fields.get('etag'),
            fields.get('last-modified'),
            await response.text(),
          ]
        }),
      ),
    ),
  )
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const bun = programOf('bun')
const deno = programOf('deno')

describe('the same site', () => {
  test('on Node without code generation', async () => {
    const args = ['--disallow-code-generation-from-strings', join(folder, 'ask.mjs')]
    expect(JSON.parse((await run(process.execPath, args)).stdout)).toEqual(expected)
  })

  test.skipIf(bun === undefined)('on Bun (skipped where its npm package has no program)', async () => {
    expect(JSON.parse((await run(bun ?? '', [join(folder, 'ask.mjs')])).stdout)).toEqual(expected)
  })

  test.skipIf(deno === undefined)(
    'on Deno with no permission (skipped where its npm package has no program)',
    async () => {
      const args = ['run', '--no-prompt', '--no-remote', '--no-npm', '--no-config', join(folder, 'ask.mjs')]
      expect(JSON.parse((await run(deno ?? '', args)).stdout)).toEqual(expected)
    },
  )

  test.skipIf(bun === undefined)('under Bun.serve', async () => {
    const program = `import site from './site.mjs'
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => site.handleRequest(request) })
const { status } = await fetch('http://127.0.0.1:' + server.port + '/.well-known/ai-manifest.json')
console.log(status)
await server.stop(true)`
    await writeFile(join(folder, 'bun.mjs'), program)
    expect((await run(bun ?? '', [join(folder, 'bun.mjs')])).stdout).toBe('200\n')
  })

  test.skipIf(deno === undefined)('under Deno.serve', async () => {
    const program = `import site from './site.mjs'
const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, (request) => site.handleRequest(request))
const response = await fetch('http://127.0.0.1:' + server.addr.port + '/.well-known/ai-manifest.json')
await response.body.cancel()
console.log(response.status)
await server.shutdown()`
    await writeFile(join(folder, 'deno.mjs'), program)
    const args = ['run', '--no-prompt', '--no-config', '--allow-net=127.0.0.1', join(folder, 'deno.mjs')]
    expect((await run(deno ?? '', args)).stdout).toBe('200\n')
  })

  test('on Workers', async () => {
    const { Miniflare } = await import('miniflare')
    const worker = `import site from './site.mjs'
export default { async fetch(request) {
  const { path, headers } = await request.json()
  return site.handleRequest(new Request('https://blog.acme.test' + path, { headers }))
} }`
    await writeFile(join(folder, 'worker.mjs'), worker)
    const miniflare = new Miniflare({
      rootPath: folder,
      modules: [
        { type: 'ESModule', path: join(folder, 'worker.mjs') },
        { type: 'ESModule', path: join(folder, 'site.mjs') },
      ],
      modulesRoot: folder,
      compatibilityDate: '2025-12-01',
    })
    try {
      const answers: unknown[] = []
      for (const [path, headers = {}] of REQUESTS) {
        const body = JSON.stringify({ path, headers })
        const response = await miniflare.dispatchFetch('https://ask.test/', { method: 'POST', body })
        const { status, headers: fields } = response
        answers.push([path, status, fields.get('etag'), fields.get('last-modified'), await response.text()])
      }
      expect(answers).toEqual(expected)
    } finally {
      await miniflare.dispose()
    }
  })
})

test('the core imports nothing of Node', async () => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['worker'],
    write: false,
    metafile: true,
  })
  const outside = Object.values(result.metafile.outputs).flatMap(({ imports }) =>
    imports.map(({ path }) => path),
  )
  expect(outside).toEqual([])
  expect(result.outputFiles[0]?.text).not.toMatch(/\beval\(|new Function\(/)
})
