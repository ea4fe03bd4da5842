import {
  checkManifestSemantics,
  type EntityV1,
  type SitemapIndexV1,
  type SitemapV1,
  validateDocument,
} from '@doorplate/aadp-schemas'
import { canonicalize, checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { expect, test } from 'vitest'
import { declareShop, fetchFrom, jsonFrom, makeProducts, ORIGIN, PATHS, productResource } from './shop.js'

const server = declareShop(
  [productResource(makeProducts(3), { count: 3, mediaTypes: ['text'], x_note: 'hello' })],
  {
    links: { homepage: `${ORIGIN}/` },
    usageGuidance: { default_language: 'en', available_languages: ['en'] },
    modules: [{ id: 'aadp:relations', version: '1.0', schema: 'https://aadp.dev/relations.json' }],
    interfaces: [{ id: 'api', type: 'rest', endpoint: `${ORIGIN}/api` }],
    x_shop: { currency: 'EUR' },
  },
)

const bilingual = productResource(makeProducts(1), { locales: ['de', 'en-GB'] })
const others = productResource([], { type: 'post', locales: ['EN-gb', 'fr'] })

test.each([
  ['those of the resources, each once', undefined, { available_languages: ['de', 'en-GB', 'fr'] }],
  [
    'the default first',
    { default_language: 'fr' },
    { default_language: 'fr', available_languages: ['fr', 'de', 'en-GB'] },
  ],
  ['those that are declared', { available_languages: ['it'] }, { available_languages: ['it'] }],
])('the languages of the application are %s', (_name, usageGuidance, expected) => {
  const shop = declareShop([bilingual, others], usageGuidance && { usageGuidance })
  expect(shop.manifest().usage_guidance).toEqual(expected)
  expect(checkManifestSemantics(shop.manifest())).toEqual([])
})

test('an application without locales names no languages', () => {
  expect(declareShop([productResource([])]).manifest()).not.toHaveProperty('usage_guidance')
})

test('the manifest holds everything that was declared', () => {
  const manifest = server.manifest()
  expect(validateDocument({ version: '1.0', kind: 'manifest', data: manifest })).toEqual({
    valid: true,
    issues: [],
  })
  expect(checkManifestSemantics(manifest)).toEqual([])
  expect(manifest).toMatchObject({
    aadp_version: '1.0',
    application: { name: 'Acme Shop' },
    discovery: { sitemap_index: ORIGIN + PATHS.index },
    resources: [{ type: 'product', media_types: ['text'], x_note: 'hello' }],
    interfaces: [{ id: 'api', type: 'rest', endpoint: `${ORIGIN}/api` }],
    modules: [{ id: 'aadp:relations' }],
    x_shop: { currency: 'EUR' },
  })
})

test('what is not declared is not in the manifest', () => {
  const keys = Object.keys(declareShop([]).manifest())
  expect(keys.sort()).toEqual(['aadp_version', 'application', 'discovery', 'policies'])
})

test('optional arrays and maps that are empty are left out', () => {
  const empty = declareShop([productResource([], { mediaTypes: [] })], {
    modules: [],
    interfaces: [],
    securitySchemes: {},
    links: {},
  })
  expect(empty.manifest()).toEqual(declareShop([productResource([])]).manifest())
})

test('manifest() gives a copy that may be changed', () => {
  server.manifest().application.name = 'changed'
  expect(server.manifest().application.name).toBe('Acme Shop')
})

test.each([
  ['manifest', PATHS.manifest],
  ['sitemap-index', PATHS.index],
  ['sitemap', PATHS.sitemap],
  ['entity', PATHS.entity],
] as const)('the %s is valid and its bytes are canonical', async (kind, path) => {
  const text = await (await fetchFrom(server, path)).text()
  const data: unknown = JSON.parse(text)
  expect(validateDocument({ version: '1.0', kind, data })).toEqual({ valid: true, issues: [] })
  expect(text).toBe(canonicalize(data))
})

test('each checksum covers its part and is the entity-tag', async () => {
  const index = await jsonFrom<SitemapIndexV1>(server, PATHS.index)
  const sitemap = await jsonFrom<SitemapV1>(server, PATHS.sitemap)
  const entity = await jsonFrom<EntityV1>(server, PATHS.entity)
  expect(index.checksum).toBe(checksumOf(index.sitemaps))
  expect(sitemap.checksum).toBe(checksumOf(sitemap.items))
  expect(entity.checksum).toBe(checksumOf(entity.data))
  for (const [path, { checksum }] of [
    [PATHS.index, index],
    [PATHS.sitemap, sitemap],
    [PATHS.entity, entity],
  ] as const) {
    expect((await fetchFrom(server, path)).headers.get('etag')).toBe(`"${checksum}"`)
  }
})

test('the index leads to the sitemap and the sitemap to the entities', async () => {
  const index = await server.sitemapIndex()
  expect(index.sitemaps).toEqual([{ type: 'product', url: ORIGIN + PATHS.sitemap, count: 3 }])
  const sitemap = await server.sitemap('product')
  for (const item of sitemap.items) {
    const entity = (await (await server.handleRequest(new Request(item.url))).json()) as EntityV1
    expect(entity).toMatchObject({
      id: item.id,
      checksum: item.checksum,
      updated_at: item.updated_at,
      type: 'product',
    })
  }
})

test('documents asked for directly are those that are served', async () => {
  expect(await server.sitemapIndex()).toEqual(await jsonFrom(server, PATHS.index))
  expect(await server.sitemap('product')).toEqual(await jsonFrom(server, PATHS.sitemap))
  expect(await server.entity('product', 'product-00')).toEqual(await jsonFrom(server, PATHS.entity))
})

test('equal content gives equal bytes, whichever server publishes it and whenever', async () => {
  const lastModified = '2026-01-01T00:00:00Z'
  const [one, other] = [1, 2].map((day) =>
    declareShop([productResource(makeProducts(3))], { lastModified, now: () => Date.UTC(2027, 0, day) }),
  )
  for (const path of Object.values(PATHS)) {
    const [first, second] = await Promise.all(
      [one, other].map(async (shop) => (await fetchFrom(shop!, path)).text()),
    )
    expect(second).toBe(first)
  }
})

test('generated_at of a page is its latest record, of the index the declared moment', async () => {
  const shop = declareShop([productResource(makeProducts(3))], {
    lastModified: new Date('2026-02-03T04:05:06.789Z'),
  })
  expect((await shop.sitemap('product')).generated_at).toBe('2026-01-01T00:02:00.000Z')
  expect((await shop.sitemapIndex()).generated_at).toBe('2026-02-03T04:05:06.789Z')
})

test('generated_at of an index that declares no moment is when its content was first seen', async () => {
  let now = Date.UTC(2026, 5, 1)
  let count = 1
  const shop = declareShop([productResource([], { count: () => count })], { now: () => now })
  const first = await (await fetchFrom(shop, PATHS.index)).text()
  now += 10_000
  expect(await (await fetchFrom(shop, PATHS.index)).text()).toBe(first)
  count = 2
  expect((await shop.sitemapIndex()).generated_at).toBe('2026-06-01T00:00:10.000Z')
})

test('extensions are published beside the data and are no part of the checksum', async () => {
  const products = makeProducts(1)
  const plain = declareShop([productResource(products)])
  const extended = declareShop([
    productResource(products, {
      serialize: ({ slug, title, updatedAt }) => ({
        id: `product:${slug}`,
        updatedAt,
        data: { title },
        extensions: { x_: 1, x_1: 2, x_Foo: { b: 1, a: [] } },
      }),
    }),
  ])
  const [one, other] = [
    await plain.entity('product', 'product-00'),
    await extended.entity('product', 'product-00'),
  ]
  expect(other.checksum).toBe(one.checksum)
  expect(other).toEqual({ ...one, x_: 1, x_1: 2, x_Foo: { b: 1, a: [] } })
})

test('a canonical URL is resolved on the base and text times are kept as they are', async () => {
  const shop = declareShop([
    productResource([{ slug: 'a', title: 'A', updatedAt: '2026-01-01T01:00:00.5+01:00' }], {
      serialize: ({ slug, updatedAt }) => ({
        id: `product:${slug}`,
        updatedAt,
        canonicalUrl: `p/${slug} b`,
        locale: 'en',
        data: {},
      }),
    }),
  ])
  expect(await shop.entity('product', 'a')).toMatchObject({
    canonical_url: `${ORIGIN}/p/a%20b`,
    updated_at: '2026-01-01T01:00:00.5+01:00',
    locale: 'en',
  })
  expect((await shop.sitemap('product')).generated_at).toBe('2026-01-01T00:00:00.500Z')
})

test('a resource and a declaration are fixed once they are made', async () => {
  const config = { ...productResourceConfig(), mediaTypes: ['text'] as ('text' | 'image')[] }
  const application = {
    name: 'Before',
    description: 'd',
    publisher: { name: 'p', url: 'https://acme.test/' },
  }
  const shop = declareShop([productResource([], config)], { application })
  config.mediaTypes.push('image')
  application.name = 'After'
  expect(shop.manifest()).toMatchObject({
    application: { name: 'Before' },
    resources: [{ media_types: ['text'] }],
  })
  expect(Object.isFrozen(shop)).toBe(true)
  expect(Object.isFrozen(productResource([]))).toBe(true)
  await expect(shop.sitemapIndex()).resolves.toBeDefined()
})

test('no character of a URL ends its link in llms.txt', () => {
  const policies = { robots: `${ORIGIN}/robots.txt`, terms: `${ORIGIN}/terms)_(1` }
  expect(declareShop([], { policies }).llmsTxt()).toContain(`(${ORIGIN}/terms%29_%281)\n`)
})

function productResourceConfig(): object {
  return {}
}
