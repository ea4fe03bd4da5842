import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const isAsked = process.env['TEST_NEXT'] === '1'
const INSTALL_AND_BUILD_MS = 300_000

const DEPENDENCIES = { next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' }
const DEV_DEPENDENCIES = { typescript: '^5.9.0', '@types/node': '^20.0.0', '@types/react': '^19.0.0' }

const PACKAGES = ['aadp-server', 'aadp-schemas'].map((name) =>
  fileURLToPath(new URL(`../../${name}`, import.meta.url)),
)

const LAYOUT = `import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return <html><body>{children}</body></html>
}
`
const PAGE = `export default function Page() {
  return <p>About us</p>
}
`

/** An application with a page of its own, the packages as they would be published, and what `aadp init` writes. */
async function createApplication(folder: string): Promise<void> {
  const packs = join(folder, 'packs')
  await mkdir(packs)
  const pnpm = join(dirname(createRequire(import.meta.url).resolve('pnpm')), 'bin/pnpm.cjs')
  for (const cwd of PACKAGES)
    await run(process.execPath, [pnpm, 'pack', '--pack-destination', packs], { cwd })
  const packed = (await readdir(packs)).map((file): [string, string] => [
    file.replace(/^doorplate-(.*?)-\d.*$/, '@doorplate/$1'),
    `file:packs/${file}`,
  ])
  const manifest = {
    private: true,
    dependencies: { ...DEPENDENCIES, ...Object.fromEntries(packed) },
    devDependencies: DEV_DEPENDENCIES,
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: folder })
  await run('npx', ['aadp', 'init', '--framework', 'next'], { cwd: folder })
  await run('npx', ['aadp', 'add-resource', 'release-note'], { cwd: folder })
  await writeFile(join(folder, 'app/layout.tsx'), LAYOUT)
  await writeFile(join(folder, 'app/page.tsx'), PAGE)
}

/** The origin of the built application, once it listens on a port of its own choice. */
async function startApplication(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (origin !== undefined) return origin
  }
  throw new Error('next start ended without listening')
}

const title = 'the recipe for Next.js App Router, built and served by Next.js'
describe.skipIf(!isAsked)(isAsked ? title : `${title} (skipped: TEST_NEXT=1 installs it)`, () => {
  let folder = ''
  let server: ChildProcess
  let origin = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aadp-next-'))
    await createApplication(folder)
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
    const next = join(folder, 'node_modules/next/dist/bin/next')
    await run(process.execPath, [next, 'build'], { cwd: folder, env })
    server = spawn(process.execPath, [next, 'start', '-p', '0', '-H', '127.0.0.1'], { cwd: folder, env })
    origin = await startApplication(server)
  }, INSTALL_AND_BUILD_MS)

  afterAll(async () => {
    if (server.kill()) await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
  })

  test.each([
    ['/.well-known/ai-manifest.json', { aadp_version: '1.0', application: { name: 'My application' } }],
    ['/ai/v1.0/sitemap-index.json', { sitemaps: [{ type: 'page' }, { type: 'release-note' }] }],
    ['/ai/v1.0/sitemaps/release-note.json', { items: [{ id: 'release-note:example' }] }],
    ['/ai/v1.0/entities/release-note/example.json', { id: 'release-note:example' }],
    ['/ai/v1.0/openapi.json', { openapi: '3.1.0' }],
    ['/.well-known/api-catalog', { linkset: expect.any(Array) as unknown }],
  ])('%s is there, with HEAD, 304, OPTIONS and 405', async (path, content) => {
    const full = await fetch(origin + path)
    expect(full.status).toBe(200)
    expect(await full.json()).toMatchObject(content)
    const etag = full.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"sha256:/)
    const head = await fetch(origin + path, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    const unchanged = await fetch(origin + path, { headers: { 'if-none-match': etag } })
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, etag])
    const preflight = await fetch(origin + path, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-max-age')]).toEqual([204, '86400'])
    const refused = await fetch(origin + path, { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('llms.txt is there, and every route that it and the manifest name', async () => {
    const text = await (await fetch(`${origin}/llms.txt`)).text()
    const paths = [...text.matchAll(/http:\/\/localhost:3000(\/[^\s)>]*)/g)].map(([, path = '']) => path)
    const ours = paths.filter((path) => path.startsWith('/ai/') || path.startsWith('/.well-known/'))
    expect(ours.length).toBeGreaterThan(1)
    for (const path of ours) expect([path, (await fetch(origin + path)).status]).toEqual([path, 200])
  })

  test('what is not published is 404, and the rest of the application is untouched', async () => {
    const missing = await fetch(`${origin}/ai/v1.0/entities/release-note/none.json`)
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(await missing.json()).toMatchObject({ error: { code: 'not_found' } })
    expect(await (await fetch(origin)).text()).toContain('About us')
  })
})
