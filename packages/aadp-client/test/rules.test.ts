import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { describe, expect, it } from 'vitest'
import * as v1 from '../src/index.js'
import * as v0_1 from '../src/v0.1.js'
import { collect } from './collect.js'
import { fetchFor } from './safe.js'
import { Site, type Document } from './site.js'

/** Rules of the specification about readers, by their numbers, which are the same in both versions but for CACHE. */
describe.each([
  ['1.0', v1],
  ['0.1', v0_1],
] as const)('a reader of AADP %s', (version, client) => {
  const openSite = (): Promise<Site> => new Site({ counts: { post: 3, page: 1 }, version }).start()

  async function entitiesOf(site: Site): Promise<readonly { id: string; data: unknown }[]> {
    const options = { fetch: fetchFor(site) }
    const walk: AsyncIterable<{ id: string; data: unknown }> = client.discoverAllEntities(
      site.origin,
      options,
    )
    return collect(walk)
  }

  async function idsOf(site: Site): Promise<readonly string[]> {
    return (await entitiesOf(site)).map(({ id }) => id)
  }

  async function failureOf(site: Site): Promise<unknown> {
    return idsOf(site).catch((error: unknown) => error)
  }

  it('AADP-CLI-001: begins at the well-known path, whatever address of the origin it is given', async () => {
    await using site = await openSite()
    await client.discover(`${site.origin}/deep/path.html?query=1#fragment`, { fetch: fetchFor(site) })
    expect(site.paths()).toEqual(['/.well-known/ai-manifest.json'])
  })

  it('AADP-HTTP-010 AADP-IDX-011: goes where documents lead, for the types of the index', async () => {
    await using site = await openSite()
    expect(await idsOf(site)).toEqual(site.ids())
    site.edit = (document, path) =>
      path === '/.well-known/ai-manifest.json' && version === '1.0'
        ? { ...document, resources: [{ type: 'other' }] }
        : document
    expect(await idsOf(site)).toEqual(site.ids())
  })

  it('AADP-CLI-002: checks status, media type, JSON, version, schema and checksum in this order', async () => {
    await using site = await openSite()
    const path = '/entity/post/e0'
    const entity = { ...site.entity('post', 'e0'), data: { other: true } }
    const codes: unknown[] = []
    for (const [status, type, body] of [
      [500, 'text/html', '{'],
      [200, 'text/html', '{'],
      [200, 'application/json', '{'],
      [200, 'application/json', JSON.stringify({ ...entity, aadp_version: '9.9', surprise: 1 })],
      [200, 'application/json', JSON.stringify({ ...entity, surprise: 1 })],
      [200, 'application/json', JSON.stringify(entity)],
    ] as const) {
      site.answer(path, status, body, { 'content-type': type })
      codes.push(((await failureOf(site)) as v1.AadpClientError).code)
    }
    expect(codes).toEqual([
      'http_status',
      'invalid_content_type',
      'malformed_json',
      'unsupported_version',
      'schema_invalid',
      'checksum_mismatch',
    ])
  })

  it('AADP-CLI-003 AADP-ERR-015: reports any refusal with its status, whatever its body says', async () => {
    await using site = await openSite()
    for (const code of ['not_found', 'x_never_heard_of', undefined]) {
      const body = code === undefined ? '<h1>' : { error: { code, message: 'No.', request_id: '1' } }
      site.answer('/index.json', 503, JSON.stringify(body))
      expect(await failureOf(site)).toMatchObject({ code: 'http_status', status: 503 })
    }
  })

  it.each([
    ['AADP-CLI-006: a page of another type', '/sitemap/post', { type: 'page' }],
    ['AADP-CLI-007: an entity with another id', '/entity/post/e0', { id: 'post:e1' }],
    ['AADP-CLI-008: an entity of another type', '/entity/post/e0', { type: 'page', id: 'post:e0' }],
  ])('%s is refused', async (_, faulty, change) => {
    await using site = await openSite()
    site.edit = (document, path) => (path === faulty ? { ...document, ...change } : document)
    expect(v1.isAadpClientError(await failureOf(site))).toBe(true)
    site.edit = (document) => document
    expect(await failureOf(site)).toEqual(site.ids())
  })

  it.each([
    ['another id', '/entity/post/e0', { id: 'post:e1' }],
    ['another type', '/entity/post/e0', { type: 'page', id: 'page:e0' }],
    ['a page of another type', '/sitemap/post', { type: 'page' }],
  ])('AADP-SAFE-010: a checksum that is right does not vouch for %s', async (_, path, change) => {
    await using site = await openSite()
    site.edit = (document, asked) => (asked === path ? { ...document, ...change } : document)
    expect(await failureOf(site)).toMatchObject({ code: 'integrity_mismatch' })
  })

  it('AADP-SAFE-010: checksums that are right earn another origin no header of the caller', async () => {
    await using site = await openSite()
    await using other = await openSite()
    const sitemaps = [{ type: 'post', url: `${other.origin}/sitemap/post` }]
    site.edit = (document, path) =>
      path === '/index.json' ? { ...document, sitemaps, checksum: checksumOf(sitemaps) } : document
    const options = { fetch: fetchFor(site, other), headers: { 'x-key': 'mine' } }
    const walk: AsyncIterable<unknown> = client.discoverAllEntities(site.origin, options)
    expect(await collect(walk)).toHaveLength(3)
    expect(site.requests.map(({ headers }) => headers['x-key'])).toEqual(['mine', 'mine'])
    expect(other.requests.map(({ headers }) => headers['x-key'])).toEqual(Array(4).fill(undefined))
  })

  it('AADP-CLI-015: tokens that it has never heard of are no reason to refuse', async () => {
    await using site = await openSite()
    site.set('never-heard-of', 'one', { kind: 'unknown' })
    expect(await idsOf(site)).toContain('never-heard-of:one')
  })

  it('AADP-DOC-005 AADP-DOC-007: data means nothing to it, and extensions are passed over', async () => {
    await using site = await openSite()
    const data: Document = { aadp_version: '9.9', $ref: '#/x', toJSON: 'text', x_any: [null] }
    site.set('post', 'e0', data)
    site.edit = (document) => ({ ...document, x_shop: { deep: [1, null] } })
    const [first] = await entitiesOf(site)
    expect(first?.data).toEqual(data)
  })

  it('AADP-PAGE-009 AADP-PAGE-010: a cursor goes back unchanged, in place of the one in the URL', async () => {
    await using site = await openSite()
    const cursor = 'a+b /?&=%2F\u00e9'
    const page = { fetch: fetchFor(site) }
    await client
      .fetchSitemap(`${site.origin}/sitemap/post?sig=a%20b~&cursor=old&flag`, cursor, page)
      .catch(() => undefined)
    const [path = ''] = site.paths()
    expect(path).toMatch(/^\/sitemap\/post\?sig=a%20b~&cursor=[^&]+&flag$/)
    expect(new URL(path, site.origin).searchParams.get('cursor')).toBe(cursor)
  })

  it('AADP-PAGE-011: a page without a cursor is the last one', async () => {
    await using site = await openSite()
    site.edit = (document, path) => {
      const { cursor: _, ...rest } = document
      return path.startsWith('/sitemap/') ? rest : document
    }
    expect(await idsOf(site)).toEqual(site.ids())
  })
})

it('AADP1-SAFE-010: the same checksum at two origins is the word of each of them, asked and kept apart', async () => {
  await using one = await new Site({ counts: { post: 3 } }).start()
  await using other = await new Site({ counts: { post: 3 } }).start()
  other.edit = (document, path) => (path.startsWith('/entity/') ? { ...document, locale: 'fr' } : document)
  const store = v1.createMemoryStore()
  for (const site of [one, other]) {
    const events = await collect(v1.syncEntities(site.origin, { fetch: fetchFor(site), store }))
    expect(events.filter(({ kind }) => kind === 'created')).toHaveLength(3)
  }
  const entities = await Promise.all(
    [one, other].map(async ({ origin }) => await store.readEntity(origin, 'post:e0')),
  )
  expect(entities.map((entity) => entity?.checksum)).toEqual(
    Array(2).fill(one.entity('post', 'e0')['checksum']),
  )
  expect(entities.map((entity) => entity?.locale)).toEqual([undefined, 'fr'])
})

it('AADP1-CACHE-011 AADP01-CACHE-010: a tag that was weakened on the way proves as much', async () => {
  await using site = await new Site({ counts: { post: 3 } }).start()
  const through = fetchFor(site)
  const statuses: number[] = []
  const store = v1.createMemoryStore()
  const changes = async (): Promise<number> =>
    (await collect(v1.syncEntities(site.origin, { fetch: weakening, store }))).filter(
      ({ kind }) => kind !== 'unchanged',
    ).length
  expect(await changes()).toBe(3)
  statuses.length = 0
  expect(await changes()).toBe(0)
  expect(statuses).toEqual([200, 304, 304])

  async function weakening(...[input, init]: Parameters<typeof through>): Promise<Response> {
    const headers = new Headers(init?.headers)
    const condition = headers.get('if-none-match')
    if (condition !== null) headers.set('if-none-match', condition.replace(/^W\//, ''))
    const response = await through(input, { ...init, headers })
    statuses.push(response.status)
    const fields = new Headers(response.headers)
    const etag = fields.get('etag')
    if (etag !== null) fields.set('etag', `W/${etag}`)
    const { status } = response
    const weakened = new Response(status === 304 ? null : await response.text(), { status, headers: fields })
    return Object.defineProperty(weakened, 'url', { value: response.url })
  }
})
