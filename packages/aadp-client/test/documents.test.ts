import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithCorpora } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import * as v1 from '../src/index.js'
import * as v0_1 from '../src/v0.1.js'
import { collect } from './collect.js'
import { fetchFor } from './safe.js'
import { Site } from './site.js'

const MANIFEST = '/.well-known/ai-manifest.json'

/** What a promise rejects with. */
async function failure(promise: Promise<unknown>): Promise<object> {
  return promise.then(
    () => {
      throw new Error('did not reject')
    },
    (error: unknown) => {
      if (!v1.isAadpClientError(error)) throw error
      return Object.assign({}, error, { name: error.name, message: error.message })
    },
  )
}

function codeOf(error: object): unknown {
  return 'code' in error ? error.code : undefined
}

describe('single documents', () => {
  it('discovers, and reads index, page and entity', async () => {
    await using site = await new Site({ counts: { post: 3 }, pageSize: 2 }).start()
    const options = { fetch: fetchFor(site) }
    const manifest = await v1.discover(`${site.origin}/any/path?x=1`, options)
    expect(manifest.application.name).toBe('Shop')
    const index = await v1.fetchSitemapIndex(manifest.discovery.sitemap_index, options)
    expect(index.sitemaps[0]).toMatchObject({ type: 'post', count: 3 })
    const { items, cursor } = await v1.fetchSitemap(index.sitemaps[0]!.url, null, options)
    expect(items.map(({ id }) => id)).toEqual(['post:e0', 'post:e1'])
    expect(
      (await v1.fetchSitemap(index.sitemaps[0]!.url, cursor?.next as unknown as string, options)).items,
    ).toHaveLength(1)
    const entity = await v1.fetchEntity<{ title: string }>(items[0]!.url, options)
    expect(entity.data.title).toBe('post 0')
    expect(site.requests[0]!.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': expect.stringContaining('doorplate-aadp-client') as string,
    })
  })

  it('speaks 0.1 at its own entry, and neither version falls back to the other', async () => {
    await using old = await new Site({ version: '0.1' }).start()
    await using site = await new Site().start()
    const fetch = fetchFor(old, site)
    expect((await v0_1.discover(old.origin, { fetch })).sitemap_index).toBe(`${old.origin}/index.json`)
    expect(await collect(v0_1.discoverAllEntities(old.origin, { fetch }))).toHaveLength(3)
    expect(await failure(v1.discover(old.origin, { fetch }))).toMatchObject({
      code: 'unsupported_version',
      version: '0.1',
    })
    expect(await failure(v0_1.discover(site.origin, { fetch }))).toMatchObject({
      code: 'unsupported_version',
      version: '1.0',
    })
  })

  it('iterates over the items of all pages', async () => {
    await using site = await new Site({ counts: { post: 5 }, pageSize: 2 }).start()
    const options = { fetch: fetchFor(site), expectedType: 'post' }
    const items = await collect(v1.iterateSitemap(`${site.origin}/sitemap/post`, options))
    expect(items.map(({ id }) => id)).toEqual(site.ids())
    const wrong = v1.iterateSitemap(`${site.origin}/sitemap/post`, { ...options, expectedType: 'page' })
    expect(await failure(wrong.next())).toMatchObject({ code: 'integrity_mismatch', field: 'type' })
  })

  it.each([
    ['another type', { 'content-type': 'text/html' }, 'invalid_content_type'],
    ['a JSON sequence', { 'content-type': 'application/json-seq' }, 'invalid_content_type'],
    ['no space after the semicolon (JD-07)', { 'content-type': 'application/json;charset=UTF-8' }, undefined],
    ['another case', { 'content-type': 'Application/JSON' }, undefined],
  ])('judges a body served as %s', async (_, headers, code) => {
    await using site = await new Site().start()
    site.answer(MANIFEST, 200, JSON.stringify(site.manifest()), headers)
    const discovered = v1.discover(site.origin, { fetch: fetchFor(site) })
    if (code) expect(await failure(discovered)).toMatchObject({ code, url: `${site.origin}${MANIFEST}` })
    else expect((await discovered).aadp_version).toBe('1.0')
  })

  it('accepts a byte order mark before the manifest (JD-01, JD-03), and refuses UTF-16', async () => {
    await using site = await new Site().start()
    const text = JSON.stringify(site.manifest())
    site.answer(MANIFEST, 200, Buffer.from(`\ufeff${text}`))
    expect((await v1.discover(site.origin, { fetch: fetchFor(site) })).aadp_version).toBe('1.0')
    site.answer(MANIFEST, 200, Buffer.from(`\ufeff${text}`, 'utf16le'))
    expect(await failure(v1.discover(site.origin, { fetch: fetchFor(site) }))).toMatchObject({
      code: 'malformed_json',
    })
  })

  it('keeps U+FEFF inside strings and keys, also for the checksum (JD-02)', async () => {
    await using site = await new Site().start()
    site.set('post', 'bom', { a: 'x\ufeffy', '\ufeffk': 1 })
    const entity = await v1.fetchEntity(`${site.origin}/entity/post/bom`, { fetch: fetchFor(site) })
    expect(entity.data).toEqual({ a: 'x\ufeffy', '\ufeffk': 1 })
  })

  it.each([
    [
      'an error envelope',
      404,
      JSON.stringify({ error: { code: 'not_found', message: 'No', request_id: 'r' } }),
      'application/json',
      'not_found',
    ],
    ['an HTML error', 500, '<h1>Oops</h1>', 'text/html', undefined],
    ['an empty error', 502, '', 'application/json', undefined],
    ['a 304 nobody asked for', 304, '', 'application/json', undefined],
  ])('reports %s with its status', async (_, status, body, type, envelope) => {
    await using site = await new Site().start()
    site.answer('/e', status, body, { 'content-type': type })
    const error = await failure(v1.fetchEntity(`${site.origin}/e`, { fetch: fetchFor(site) }))
    expect(error).toMatchObject({
      name: 'AadpRequestError',
      code: 'http_status',
      status,
      url: `${site.origin}/e`,
    })
    expect((error as { envelope?: { code: string } }).envelope?.code).toBe(envelope)
  })

  it.each([
    [
      'its content',
      (entity: Record<string, unknown>) => ({ ...entity, data: { other: 1 } }),
      'checksum_mismatch',
    ],
    ['a wrong shape', (entity: Record<string, unknown>) => ({ ...entity, extra: 1 }), 'schema_invalid'],
    [
      'a foreign namespace',
      (entity: Record<string, unknown>) => ({ ...entity, type: 'page' }),
      'integrity_mismatch',
    ],
    ['no object', () => [], 'not_aadp'],
    ['no version', ({ aadp_version: _, ...rest }: Record<string, unknown>) => rest, 'not_aadp'],
    ['a number without canonical form', () => '{"aadp_version":"1.0"', 'malformed_json'],
  ])('refuses an entity with %s', async (_, edit, code) => {
    await using site = await new Site().start()
    const edited = edit(site.entity('post', 'e0'))
    site.answer('/entity/post/e0', 200, typeof edited === 'string' ? edited : JSON.stringify(edited))
    expect(
      await failure(v1.fetchEntity(`${site.origin}/entity/post/e0`, { fetch: fetchFor(site) })),
    ).toMatchObject({ code })
  })

  it.each(['{"a":1e400}', '{"a":"\\ud800"}', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`])(
    'gives a typed error for data without a canonical form',
    async (data) => {
      await using site = await new Site().start()
      const entity = { ...site.entity('post', 'e0'), data: 0 }
      site.answer('/entity/post/e0', 200, JSON.stringify(entity).replace('"data":0', `"data":${data}`))
      const error = await failure(v1.fetchEntity(`${site.origin}/entity/post/e0`, { fetch: fetchFor(site) }))
      expect(['malformed_json', 'checksum_mismatch']).toContain(codeOf(error))
    },
  )

  it('does not trip over hostile member names', async () => {
    await using site = await new Site().start()
    const data = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}') as Record<string, unknown>
    site.set('post', 'evil', data)
    const entity = await v1.fetchEntity(`${site.origin}/entity/post/evil`, { fetch: fetchFor(site) })
    expect(Object.keys(entity.data)).toEqual(['__proto__', 'constructor'])
    expect({}).not.toHaveProperty('polluted')
  })

  it('refuses a manifest of more than 256 KiB, whatever the options say', async () => {
    await using site = await new Site().start()
    const limit = 262_144
    const pad = (size: number): string => {
      const text = JSON.stringify({ ...site.manifest(), x_pad: '' })
      return text.replace('"x_pad":""', `"x_pad":"${' '.repeat(size - text.length)}"`)
    }
    site.answer(MANIFEST, 200, pad(limit + 1))
    const options = { fetch: fetchFor(site), maxResponseBytes: 10_000_000 }
    expect(await failure(v1.discover(site.origin, options))).toMatchObject({ code: 'response_too_large' })
  })

  it('refuses a manifest with semantic errors', async () => {
    await using site = await new Site().start()
    site.edit = (document) => ({ ...document, resources: [{ type: 'post' }, { type: 'post' }] })
    const error = await failure(v1.discover(site.origin, { fetch: fetchFor(site) }))
    expect(error).toMatchObject({ code: 'semantics_invalid', issues: [{ code: 'duplicate_resource_type' }] })
  })

  it('refuses a page with ids of another type, and one with an empty cursor (PG-04)', async () => {
    await using site = await new Site().start()
    const options = { fetch: fetchFor(site) }
    site.edit = (document) => ({ ...document, type: 'page' })
    expect(await failure(v1.fetchSitemap(`${site.origin}/sitemap/post`, null, options))).toMatchObject({
      code: 'integrity_mismatch',
      field: 'namespace',
    })
    site.edit = (document) => ({ ...document, cursor: { next: '' } })
    const page = v1.fetchSitemap(`${site.origin}/sitemap/post`, null, options)
    expect(await failure(page)).toMatchObject({ code: 'invalid_cursor' })
    site.edit = (document) => ({ ...document, cursor: { next: 'a\ud800' } })
    const other = v1.fetchSitemap(`${site.origin}/sitemap/post`, null, { fetch: fetchFor(site) })
    expect(await failure(other)).toMatchObject({ code: 'invalid_cursor' })
  })

  it('ends a walk through cursors that come back (PG-01, PG-02)', async () => {
    await using site = await new Site({ counts: { post: 4 }, pageSize: 1 }).start()
    const cursors = new Map([
      ['/sitemap/post', 'a'],
      ['/sitemap/post?cursor=a', 'b'],
      ['/sitemap/post?cursor=b', 'a'],
    ])
    site.edit = (document, path) =>
      cursors.has(path) ? { ...document, cursor: { next: cursors.get(path) } } : document
    const items = v1.iterateSitemap(`${site.origin}/sitemap/post`, { fetch: fetchFor(site) })
    const seen: string[] = []
    const error = await failure(
      (async () => {
        for await (const { id } of items) seen.push(id)
      })(),
    )
    expect(error).toMatchObject({ code: 'cursor_cycle' })
    expect(seen).toEqual(['post:e0'])
    expect(site.requests).toHaveLength(3)
  })

  it.each([
    [
      'redirects for ever',
      'too_many_redirects',
      (site: Site) => {
        site.answer('/e', 302, '', { location: '/e' })
      },
    ],
    [
      'redirects elsewhere than to http',
      'blocked_url',
      (site: Site) => {
        site.answer('/e', 302, '', { location: 'file:///etc/passwd' })
      },
    ],
    [
      'closes the connection',
      'network_error',
      (site: Site) => {
        site.fault('/e', (request) => request.destroy())
      },
    ],
    [
      'never answers',
      'timeout',
      (site: Site) => {
        site.fault('/e', () => undefined)
      },
    ],
    [
      'sends too much',
      'response_too_large',
      (site: Site) => {
        site.answer('/e', 200, ' '.repeat(200_000))
      },
    ],
  ])('gives a typed error when the site %s, over either kind of fetch', async (_, code, prepare) => {
    await using site = await new Site().start()
    prepare(site)
    for (const fetch of [fetchFor(site), globalThis.fetch]) {
      const timeoutMs = code === 'timeout' ? 200 : 10_000
      const reading = v1.fetchEntity(`${site.origin}/e`, { fetch, timeoutMs, maxResponseBytes: 100_000 })
      expect(await failure(reading)).toMatchObject({ code, url: `${site.origin}/e` })
    }
  })

  it('asks no private address by default, and does not name it', async () => {
    await using site = await new Site().start()
    expect(await failure(v1.discover(site.origin))).toMatchObject({ code: 'blocked_url' })
    expect(site.requests).toEqual([])
  })

  it.each(['ftp://a.test/', 'javascript:alert(1)', 'not a URL', 'https://user:secret@a.test/'])(
    'refuses to read %s',
    async (url) => {
      const error = await failure(v1.fetchEntity(url))
      expect(error).toMatchObject({ code: 'blocked_url' })
      expect((error as Error).message).not.toContain('secret')
    },
  )

  it.each([NaN, 0, -1, 1.5, '5', 2 ** 53])('refuses %s as a limit before any request', async (value) => {
    const limit = value as number
    for (const options of [
      { timeoutMs: limit },
      { maxResponseBytes: limit },
      { retry: { maxAttempts: limit } },
    ]) {
      expect(await failure(v1.discover('https://a.test', options))).toMatchObject({ code: 'invalid_option' })
    }
    for (const name of [
      'maxPages',
      'maxEntities',
      'deadlineMs',
      'maxTotalBytes',
      'maxRequests',
      'concurrency',
    ]) {
      expect(() => v1.discoverAllEntities('https://a.test', { [name]: limit })).toThrow(
        expect.objectContaining({ code: 'invalid_option', option: name }),
      )
    }
  })

  it('rejects with the reason of the signal', async () => {
    await using site = await new Site().start()
    site.fault(MANIFEST, () => undefined)
    for (const fetch of [fetchFor(site), globalThis.fetch]) {
      const controller = new AbortController()
      const discovered = v1.discover(site.origin, { fetch, signal: controller.signal })
      setTimeout(() => {
        controller.abort('enough')
      }, 20)
      await expect(discovered).rejects.toBe('enough')
    }
  })

  it('shares a budget between calls', async () => {
    await using site = await new Site().start()
    const budget = v1.createDiscoveryBudget({ maxRequests: 2 })
    const options = { fetch: fetchFor(site), budget }
    await v1.discover(site.origin, options)
    await v1.fetchEntity(`${site.origin}/entity/post/e0`, options)
    expect(await failure(v1.discover(site.origin, options))).toMatchObject({
      code: 'budget_exceeded',
      limit: 'maxRequests',
      allowed: 2,
    })
    expect(budget).toMatchObject({ requestsMade: 2, entitiesFetched: 1 })
    expect(site.requests).toHaveLength(2)
  })
})

describe('headers of the caller', () => {
  it.each(['safe fetch', 'any fetch'])('stay on the start origin, over %s', async (kind) => {
    await using start = await new Site().start()
    await using other = await new Site().start()
    start.answer('/e', 302, '', { location: `${other.origin}/entity/post/e0` })
    const fetch = kind === 'safe fetch' ? fetchFor(start, other) : globalThis.fetch
    const headers = { 'X-Api-Key': 'SECRET', authorization: 'Bearer SECRET' }
    await v1.fetchEntity(`${start.origin}/e`, { fetch, headers })
    expect(start.requests[0]!.headers).toMatchObject({
      'x-api-key': 'SECRET',
      authorization: 'Bearer SECRET',
    })
    expect(JSON.stringify(other.requests)).not.toContain('SECRET')
    expect(other.requests[0]!.headers).toMatchObject({ accept: 'application/json' })
  })
})

describeWithCorpora('well-known files of the world', 'well-known', (folder) => {
  interface Label {
    readonly file: string
    readonly kind: string
  }
  const labels = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as readonly Label[]

  it.each(labels)('$file, $kind: AADP or not, with a reason (SD-03)', async ({ file, kind }) => {
    await using site = await new Site().start()
    site.answer(MANIFEST, 200, readFileSync(join(folder, 'files', file)))
    const discovered = v1.discover(site.origin, { fetch: fetchFor(site) })
    if (kind.startsWith('aadp')) expect((await discovered).aadp_version).toBe('1.0')
    else
      expect(['not_aadp', 'malformed_json', 'response_too_large']).toContain(
        codeOf(await failure(discovered)),
      )
  })
})
