import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startServer } from '@internal/loopback'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBookSite } from './book-site.js'
import { outputOf, startExample } from './run-example.js'

const DOCUMENTS = join(import.meta.dirname, 'documents')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-examples-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

describe('publish', () => {
  test.for(['node', 'express', 'fastify', 'hono'])(
    '%s serves the documents and its own pages',
    async (name) => {
      await using site = await startExample(`publish/${name}.js`)
      const manifest = await fetch(`${site.origin}/.well-known/ai-manifest.json`)
      expect(await manifest.json()).toMatchObject({ application: { name: 'The Book Shelf' } })
      expect((await fetch(`${site.origin}/ai/v1.0/entities/book/dune.json`)).status).toBe(200)
      expect(await (await fetch(site.origin)).text()).toBe('My own pages')
    },
  )

  test('the handlers of a Worker and of Next.js answer', async () => {
    const { default: worker } = await import('../examples/publish/worker.js')
    const { GET } = await import('../examples/publish/next-route.js')
    const request = new Request('http://localhost:3000/ai/v1.0/sitemaps/book.json')
    for (const response of [await worker.fetch(request), await GET(request)])
      expect(await response.json()).toMatchObject({ type: 'book', items: [{}, {}] })
    expect(await (await worker.fetch(new Request('http://localhost:3000/'))).text()).toBe('My own pages')
  })

  test('the site becomes files', async () => {
    const target = join(folder, 'public')
    expect(await outputOf('publish/static.js', target)).toMatch(/^\d+ files in /)
    expect(existsSync(join(target, '.well-known/ai-manifest.json'))).toBe(true)
  })
})

describe('read', () => {
  test('a site is walked, mirrored twice and read with many others', async () => {
    await using site = await startBookSite()
    expect(await outputOf('read/walk.js', site.origin)).toBe(
      'book:dune 2026-01-05T09:00:00Z\nbook:emma 2026-01-05T09:00:00Z\neverything',
    )
    const mirror = (): Promise<string> => outputOf('read/mirror.js', site.origin, join(folder, 'mirror.db'))
    expect(await mirror()).toBe('created book:dune\ncreated book:emma\n0 unchanged\n5 requests')
    expect(await mirror()).toBe('2 unchanged\n3 requests')
    expect(await outputOf('read/many-sites.js', site.origin)).toContain(`${site.origin} complete`)
  })

  test('the ways of ail-aadp work under the new imports', async () => {
    await using site = await startBookSite()
    expect(await outputOf('migrate/client.js', site.origin)).toBe('The Book Shelf\nbook:dune\nbook:emma')
    expect(await outputOf('migrate/validate.js')).toBe('true 0\ntrue')
  })
})

describe('a runner of one’s own', () => {
  test('judges a home page, and says what it could not judge', async () => {
    const site = await startServer((incoming, outgoing) => {
      outgoing.setHeader('content-type', 'text/html').end(incoming.url === '/' ? '<p>Hello' : '')
    })
    const run = (...argv: readonly string[]) => outcomeOf('conformance-kit/home-page.js', ...argv)
    const { stdout, code } = await run(new URL(site.origin).host, '--allow-private-network')
    await site.close()
    expect(stdout).toContain('WARN  home.title')
    expect(stdout).toContain('1 passed, 0 failed, 1 warning')
    expect(code).toBe(0)
    const blocked = await run(site.origin)
    expect(blocked.stdout).toContain('--allow-private-network lets')
    expect(blocked).toMatchObject({ code: 2, stdout: expect.stringContaining('NOT PERFORMED') as string })
    expect((await run('ftp://site.test')).code).toBe(2)
  })
})

describe('find', () => {
  test('what one example announces the other finds', async () => {
    await using site = await startExample('find/signals.js')
    const found = await outputOf('find/discover.js', site.origin)
    expect(found).toContain(`verified llms-txt ${site.origin}/llms.txt`)
    expect(found).toContain(`read ${site.origin}/`)
    expect(found).toMatch(/\d+ rejected, \d+ requests$/)
  })

  test('a site that is not there is told', async () => {
    const { stdout, code } = await outcomeOf('find/discover.js', `http://localhost:${await freePort()}`)
    expect(stdout).toMatch(/^error The page .* was not fetched: The connection failed/)
    expect(code).toBe(2)
  })
})

describe('ask', () => {
  test('a visitor gets an answer, and goes on with it', async () => {
    await using site = await startExample('ask/mode2.js', { args: [DOCUMENTS] })
    expect(await outputOf('ask/agent.js', site.origin)).toBe(
      `A refund takes five days. It goes to your card.\n- Refunds ${site.origin}/refunds`,
    )
    expect((await outputOf('ask/session.js', site.origin)).split('\n').at(-1)).toContain('refund')
  })

  test('a site of MODE1 leads to its content', async () => {
    await using site = await startExample('ask/mode1-server.js')
    const page = await fetch(site.origin)
    expect(page.headers.get('link')).toContain('rel="ahp-manifest agent-manifest"')
    expect(await page.text()).toContain('AI Agent Notice')
    expect(await (await fetch(`${site.origin}/llms.txt`)).text()).toContain('[Dune](/reviews/dune)')
    expect((await fetch(`${site.origin}/reviews/dune`)).status).toBe(200)
    expect((await fetch(`${site.origin}/reviews/emma`)).status).toBe(404)
  })

  test('a site of MODE1 refuses who asks for more than it declares', async () => {
    await using site = await startExample('ask/mode1-server.js')
    const manifest = `${site.origin}/.well-known/agent.json`
    const statuses = await Promise.all(
      Array.from({ length: 121 }, async () => (await fetch(manifest)).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    const refusal = await fetch(manifest)
    expect(refusal.status).toBe(429)
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refusal.headers.get('link')).toContain('ahp-manifest')
    expect(await refusal.json()).toMatchObject({ status: 'error', code: 'rate_limited' })
  })
})

describe('fetch', () => {
  test('a preview of an address inside is refused', async () => {
    await using preview = await startExample('fetch/preview.js')
    const response = await fetch(`${preview.origin}/?url=http://169.254.169.254/latest/meta-data/`)
    expect([response.status, await response.text()]).toEqual([403, 'blocked'])
  })
})

describe('verify', () => {
  test('a site is certified and its signals are judged', async () => {
    await using site = await startBookSite()
    const { stdout, code } = await outcomeOf('verify/certify.js', site.origin)
    expect(stdout).toContain('passed')
    expect(code).toBe(0)
    expect((await outcomeOf('verify/readiness.js', site.origin)).stdout).toContain('RESULT: PASSED')
  })

  // It waits as the sites that judge it ask, for a quarter of a minute.
  test.skipIf(process.env.TEST_DOCS !== '1')(
    'an agent is judged (skipped unless TEST_DOCS is 1)',
    async () => {
      const lines = (await outputOf('verify/judge-agent.js')).split('\n')
      expect(lines.length).toBeGreaterThan(15)
      expect(lines.filter((line) => !line.startsWith('passed '))).toEqual([])
    },
  )
})

/** What a program prints and how it ends. */
async function outcomeOf(
  example: string,
  ...args: readonly string[]
): Promise<{ stdout: string; code: number }> {
  try {
    return { stdout: await outputOf(example, ...args), code: 0 }
  } catch (error) {
    const { stdout, code } = error as { stdout: string; code: number }
    return { stdout, code }
  }
}
