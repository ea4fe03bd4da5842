import { describe, expect, test } from 'vitest'
import type { AadpConfig, AadpServer, Resource } from '../src/index.js'
import {
  declareShop,
  fetchFrom,
  jsonFrom,
  makeProducts,
  PATHS,
  type Product,
  productResource,
} from './shop.js'

interface Calls {
  list: number
  get: number
  serialize: number
}

/** A shop that counts what it is asked. */
function countingShop(
  products: Product[],
  overrides: Partial<Resource<Product>> = {},
  config: Partial<AadpConfig> = {},
): { shop: AadpServer; calls: Calls } {
  const calls: Calls = { list: 0, get: 0, serialize: 0 }
  const base = productResource(products, overrides)
  const counted = productResource(products, {
    ...overrides,
    list: (args) => (calls.list++, base.list(args)),
    get: (args) => (calls.get++, base.get(args)),
    serialize: (record, context) => (calls.serialize++, base.serialize(record, context)),
  })
  return { shop: declareShop([counted], config), calls }
}

const identify = ({ slug, updatedAt }: Product): { name: string; updatedAt: string | Date } => ({
  name: slug,
  updatedAt,
})

describe('records that are identified', () => {
  test('are serialised once for page and entity, 304 and 200', async () => {
    const { shop, calls } = countingShop(makeProducts(10), { identify })
    await shop.sitemap('product')
    expect(calls.serialize).toBe(10)
    for (let round = 0; round < 3; round++) {
      await fetchFrom(shop, PATHS.sitemap)
      await fetchFrom(shop, PATHS.sitemap, { headers: { 'if-none-match': '*' } })
      await fetchFrom(shop, PATHS.entity)
      await fetchFrom(shop, PATHS.entity, { headers: { 'if-none-match': '*' } })
    }
    expect(calls).toEqual({ list: 7, get: 6, serialize: 10 })
  })

  test('are serialised again when their version changes, and only they', async () => {
    const products = makeProducts(10)
    const { shop, calls } = countingShop(products, { identify })
    const before = await shop.sitemap('product')
    products[3] = { ...products[3]!, title: 'New', updatedAt: '2027-01-01T00:00:00Z' }
    const after = await shop.sitemap('product')
    expect(calls.serialize).toBe(11)
    expect(after.checksum).not.toBe(before.checksum)
    expect(after.items.filter((item, index) => item.checksum !== before.items[index]?.checksum)).toHaveLength(
      1,
    )
    expect(await shop.entity('product', 'product-03')).toMatchObject({ data: { title: 'New' } })
  })

  test('may have any version; one that did change nothing keeps the bytes', async () => {
    const products = makeProducts(1)
    let version = 1
    const { shop } = countingShop(products, { identify: ({ slug }) => ({ name: slug, version }) })
    const before = await fetchFrom(shop, PATHS.entity)
    version++
    const after = await fetchFrom(shop, PATHS.entity, {
      headers: { 'if-modified-since': before.headers.get('last-modified') ?? '' },
    })
    expect(after.status).toBe(304)
  })

  test('must be who they say, and say in which state', async () => {
    for (const wrong of [() => ({ name: 'other', version: 1 }), () => ({ name: 'product-00' })]) {
      const { shop } = countingShop(makeProducts(1), { identify: wrong })
      expect((await fetchFrom(shop, PATHS.entity)).status).toBe(502)
    }
  })

  test('a page notices a record that comes, goes or moves', async () => {
    const products = makeProducts(3)
    const { shop } = countingShop(products, { identify })
    const idsOf = async (): Promise<string[]> =>
      (await shop.sitemap('product')).items.map(({ id }) => id.slice(-2))
    expect(await idsOf()).toEqual(['00', '01', '02'])
    products.reverse()
    expect(await idsOf()).toEqual(['02', '01', '00'])
    products.pop()
    expect(await idsOf()).toEqual(['02', '01'])
    products.push(...makeProducts(4).slice(3))
    expect(await idsOf()).toEqual(['02', '01', '03'])
  })
})

describe('records that are not identified', () => {
  test('are published anew when anything of them changes, even if they do not say so', async () => {
    const products = makeProducts(2)
    const shop = declareShop([
      productResource(products, {
        serialize: ({ slug, title, updatedAt }) => ({
          id: `product:${slug}`,
          updatedAt,
          data: { title, deep: { list: [title] } },
          canonicalUrl: `/p/${title.replaceAll(' ', '-')}`,
          extensions: { x_title: title },
        }),
      }),
    ])
    const before = await shop.entity('product', 'product-00')
    products[0] = { ...products[0]!, title: 'Renamed' }
    const after = await shop.entity('product', 'product-00')
    expect(after).toMatchObject({
      data: { title: 'Renamed', deep: { list: ['Renamed'] } },
      x_title: 'Renamed',
      canonical_url: expect.stringContaining('Renamed') as string,
    })
    expect(after.checksum).not.toBe(before.checksum)
  })
})

describe('the memory', () => {
  test('is bounded: nothing is kept of 0 bytes, and the answers are the same', async () => {
    const { shop, calls } = countingShop(makeProducts(5), { identify }, { cacheMaxBytes: 0 })
    const first = await (await fetchFrom(shop, PATHS.sitemap)).text()
    expect(await (await fetchFrom(shop, PATHS.sitemap)).text()).toBe(first)
    expect(calls.serialize).toBe(10)
  })
})

describe('documentCacheMs', () => {
  test('answers from memory until it is over', async () => {
    let now = 0
    const products = makeProducts(1)
    const { shop, calls } = countingShop(products, {}, { documentCacheMs: 1000, now: () => now })
    await jsonFrom(shop, PATHS.sitemap)
    await jsonFrom(shop, PATHS.entity)
    products[0] = { ...products[0]!, title: 'Renamed' }
    now = 999
    expect(await jsonFrom(shop, PATHS.entity)).toMatchObject({ data: { title: 'Product 0' } })
    await jsonFrom(shop, PATHS.sitemap)
    expect(calls).toMatchObject({ list: 1, get: 1 })
    now = 1000
    expect(await jsonFrom(shop, PATHS.entity)).toMatchObject({ data: { title: 'Renamed' } })
  })

  test('keeps no error and nothing of a secured resource', async () => {
    const securitySchemes = { key: { type: 'api_key', in: 'query', name: 'key' } } as const
    const { shop, calls } = countingShop(
      makeProducts(1),
      { security: 'key' },
      { documentCacheMs: 1000, now: () => 0, securitySchemes },
    )
    await jsonFrom(shop, PATHS.entity)
    await jsonFrom(shop, PATHS.entity)
    const { shop: open, calls: openCalls } = countingShop([], {}, { documentCacheMs: 1000, now: () => 0 })
    await jsonFrom(open, PATHS.entity)
    await jsonFrom(open, PATHS.entity)
    expect([calls.get, openCalls.get]).toEqual([2, 2])
  })
})
