import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import type { Settings } from '../src/settings/settings.js'
import { assetsFolder, createProject, testSettings, type Project } from './project.js'

const JUNE = Date.parse('2026-06-01T00:00:00Z')
let project: Project
let server: ReferenceServer
let log: string[]

beforeEach(async () => {
  project = await createProject()
  await project.write('README.md', '# House\n\nA [page](./spec/rules.md) <script>alert(1)</script>\n')
  await project.write('spec/rules.md', '# Rules\n\nOne rule.\n')
  log = []
  server = await start({})
})

afterEach(async () => {
  await server.stop({ graceMs: 0 })
  await project.remove()
})

function start(settings: Partial<Settings>): Promise<ReferenceServer> {
  const dataDir = join(project.root, 'data')
  return startReferenceServer(testSettings(dataDir, settings), {
    projectRoot: project.root,
    assetsFolder,
    now: () => JUNE,
    log: (line) => log.push(line),
  })
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

function ask(path: string, options: RequestOptions = {}): Promise<Answer> {
  return askAt(server.address, path, options)
}

async function askAt(address: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { hostname, port } = new URL(address)
  const outgoing = request({ hostname, port, path, agent: false, ...options }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: response.statusCode!, headers: response.headers, body: await text(response) }
}

async function askJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse((await ask(path)).body) as Record<string, unknown>
}

describe('pages', () => {
  it('list what a package tells besides under it, by a title that says whose it is', async () => {
    await project.write('packages/lock/package.json', '{}')
    await project.write('packages/lock/README.md', '# Lock\n\nLocks.\n')
    await project.write('packages/lock/docs/keys.md', '# Keys\n\nThree of them.\n')
    const { body } = await ask('/')
    const [listed = ''] = /<li>\s*<h3><a href="\/docs\/package\/lock">.*?<\/ul>/s.exec(body) ?? []
    expect(listed).toMatch(
      /<ul class="parts">\s*<li><a href="\/docs\/package\/lock-keys">lock: Keys<\/a><\/li>\s*<\/ul>$/,
    )
    expect(body.match(/href="\/docs\/package\/lock-keys"/g)).toHaveLength(1)
    expect((await ask('/docs/package/lock-keys')).body).toContain('<title>lock: Keys · Doorplate</title>')
  })

  it('list the documents, with hostile text as text', async () => {
    const { status, headers, body } = await ask('/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('href="/docs/spec/rules"')
    expect(body).not.toContain('<script>')
    expect((await ask('/docs/guide/overview')).body).not.toContain('<script>')
  })

  it('link to each other as the files do', async () => {
    expect((await ask('/docs/guide/overview')).body).toContain('<a href="/docs/spec/rules">page</a>')
  })

  it('show a changed file at once', async () => {
    expect((await ask('/docs/spec/rules')).body).toContain('One rule.')
    await project.write('spec/rules.md', '# Rules\n\nTwo rules now.\n')
    expect((await ask('/docs/spec/rules')).body).toContain('Two rules now.')
  })

  it.each([
    '/',
    '/docs/spec/rules',
    '/license',
    '/assets/site.css',
    '/assets/desk.css',
    '/assets/icon.svg',
    '/nope',
  ])('lock down %s', async (path) => {
    const { headers } = await ask(path)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe|http|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  it('are revalidated by their tag', async () => {
    const { headers } = await ask('/')
    const again = await ask('/', { headers: { 'if-none-match': `W/${headers.etag!}` } })
    expect([again.status, again.body]).toEqual([304, ''])
    expect((await ask('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    expect((await ask('/', { headers: { 'if-none-match': '*' } })).status).toBe(304)
  })

  it('are found by a target that names a host, too', async () => {
    expect((await ask('http://other.test/license')).body).toBe((await ask('/license')).body)
  })

  it('answer HEAD like GET without a body', async () => {
    const [head, get] = [await ask('/', { method: 'HEAD' }), await ask('/')]
    expect([head.status, head.body]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
  })

  it.each([
    '/nope',
    '/docs/spec/nope',
    '/docs/constructor/x',
    '/docs/spec/..%2f..%2fLICENSE',
    '/docs/spec/rules/',
    '//x',
  ])('do not exist at %s', async (path) => {
    const { status, headers } = await ask(path)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })

  it('can only be read', async () => {
    const { status, headers } = await ask('/', { method: 'POST' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('fail without details, which are logged', async () => {
    await project.write('packages/broken/README.md', '# B\n')
    await project.write('packages/broken/package.json', '{')
    const { status, body } = await ask('/')
    expect(status).toBe(500)
    expect(body).not.toMatch(/JSON|packages/)
    expect(log).toEqual([expect.stringMatching(/^"\/" failed: SyntaxError/)])
  })
})

describe('documents for agents', () => {
  it('are led to by the manifest', async () => {
    const manifest = (await askJson('/.well-known/ai-manifest.json')) as {
      discovery: { sitemap_index: string }
    }
    const index = await askJson(new URL(manifest.discovery.sitemap_index).pathname)
    expect(index['sitemaps']).toMatchObject([
      { type: 'guide', count: 1 },
      { type: 'package', count: 0 },
      { type: 'spec', count: 1 },
      { type: 'post', count: 2 },
      { type: 'product', count: 4 },
      { type: 'order' },
    ])
  })

  it('hold the text, the outline and the page of a file', async () => {
    expect(await askJson('/ai/v1.0/entities/spec/rules.json')).toMatchObject({
      id: 'spec:rules',
      type: 'spec',
      canonical_url: `${server.origin}/docs/spec/rules`,
      locale: 'en',
      data: {
        title: 'Rules',
        summary: 'One rule.',
        path: 'spec/rules.md',
        media_type: 'text/markdown',
        sections: [{ level: 1, title: 'Rules', anchor: 'rules' }],
        text: '# Rules\n\nOne rule.\n',
      },
    })
  })

  it('change their checksum with the file, and come and go with it', async () => {
    const before = await askJson('/ai/v1.0/entities/spec/rules.json')
    await project.write('spec/rules.md', '# Other rules\n')
    const after = await askJson('/ai/v1.0/entities/spec/rules.json')
    expect(after['checksum']).not.toBe(before['checksum'])
    expect(after['updated_at']).toBe(new Date(JUNE).toISOString())
    await rm(join(project.root, 'spec', 'rules.md'))
    expect((await ask('/ai/v1.0/entities/spec/rules.json')).status).toBe(404)
  })

  it('keep their date over a restart', async () => {
    const before = await askJson('/ai/v1.0/entities/spec/rules.json')
    await server.stop({ graceMs: 0 })
    await project.write('spec/rules.md', '# Rules\n\nOne rule.\n')
    server = await start({})
    expect((await askJson('/ai/v1.0/entities/spec/rules.json'))['updated_at']).toBe(before['updated_at'])
  })

  it('page through a long list', async () => {
    const names = Array.from({ length: 60 }, (_, place) => `page-${String(place).padStart(2, '0')}`)
    for (const name of names) await project.write(`spec/${name}.md`, `# ${name}\n`)
    const first = (await askJson('/ai/v1.0/sitemaps/spec.json')) as unknown as {
      items: { id: string }[]
      cursor: { next: string }
    }
    const rest = (await askJson(
      `/ai/v1.0/sitemaps/spec.json?cursor=${first.cursor.next}`,
    )) as unknown as typeof first
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(
      [...names, 'rules'].map((name) => `spec:${name}`),
    )
  })

  it('answer an unknown path under /ai/ with an error document', async () => {
    const { status, body } = await ask('/ai/nope')
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'not_found' } })
  })
})

describe('published addresses', () => {
  it('never come from the request', async () => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }
    for (const path of [
      '/',
      '/.well-known/ai-manifest.json',
      '/ai/v1.0/sitemap-index.json',
      '/docs/spec/rules',
    ]) {
      expect((await ask(path, { headers })).body).not.toContain('evil.test')
    }
  })

  it('start with PUBLIC_URL when it is given', async () => {
    const elsewhere = await start({ publicUrl: 'https://docs.my-site.org' })
    try {
      const home = await askAt(elsewhere.address, '/.well-known/ai-manifest.json')
      expect(home.body).toContain('"https://docs.my-site.org/ai/v1.0/sitemap-index.json"')
      expect(home.body).not.toContain('127.0.0.1')
    } finally {
      await elsewhere.stop({ graceMs: 0 })
    }
  })
})

describe('stopping', () => {
  it('closes idle connections at once', async () => {
    const { hostname, port } = new URL(server.origin)
    const socket = connect(Number(port), hostname)
    socket.write('GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const closed = once(socket, 'close')
    await server.stop({ graceMs: 60_000 })
    await closed
  })

  it('cuts off a request that does not finish in time', async () => {
    const { hostname, port } = new URL(server.origin)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost:')
    await once(socket, 'connect')
    await server.stop({ graceMs: 20 })
  })
})

describe('a start', () => {
  it('that cannot read the documents says why and leaves nothing open', async () => {
    await rm(join(project.root, 'LICENSE'))
    await expect(start({})).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The documents cannot be read: ENOENT/) as string,
    })
    await project.write('packages/broken/package.json', '{')
    await project.write('packages/broken/README.md', '# Broken')
    await expect(start({})).rejects.toMatchObject({ name: 'StartError' })
  })
})
