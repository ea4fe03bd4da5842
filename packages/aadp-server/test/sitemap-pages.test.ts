import type { SitemapV1 } from '@doorplate/aadp-schemas'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AadpServer, ListArguments } from '../src/index.js'
import {
  declareShop,
  fetchFrom,
  jsonFrom,
  makeProducts,
  PATHS,
  type Product,
  productResource,
} from './shop.js'

/** The pages of the sitemap from the first to the last. */
async function walk(shop: AadpServer): Promise<SitemapV1[]> {
  const pages: SitemapV1[] = []
  for (let cursor: string | null = null; ;) {
    const page: SitemapV1 = await shop.sitemap('product', cursor)
    pages.push(page)
    cursor = nextOf(page)
    if (cursor === null) return pages
    if (pages.length > 1000) throw new Error('The sitemap does not end.')
  }
}

function nextOf(page: SitemapV1): string | null {
  return (page.cursor as { next: string | null } | undefined)?.next ?? null
}

function idsOf(pages: readonly SitemapV1[]): string[] {
  return pages.flatMap(({ items }) => items.map(({ id }) => id))
}

function withCursor(cursor: string): string {
  return `${PATHS.sitemap}?cursor=${encodeURIComponent(cursor)}`
}

describe('a walk', () => {
  test('lists every record once, whatever their number and the size of a page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        async (count, pageSize, signed) => {
          const shop = declareShop([productResource(makeProducts(count))], {
            pageSize,
            ...(signed && { cursorSecret: 's'.repeat(32) }),
          })
          const pages = await walk(shop)
          expect(idsOf(pages)).toEqual(makeProducts(count).map(({ slug }) => `product:${slug}`))
          expect(pages.every(({ items }) => items.length <= pageSize)).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('of 1000 records of one moment has ten pages of 100 (PG-08)', async () => {
    const products = makeProducts(1000).map((product) => ({ ...product, updatedAt: '2026-01-01T00:00:00Z' }))
    const pages = await walk(declareShop([productResource(products)], { pageSize: 100 }))
    expect(pages.filter(({ items }) => items.length === 100)).toHaveLength(10)
    expect(new Set(idsOf(pages)).size).toBe(1000)
  })

  test('ends with a cursor of null, an empty sitemap at once', async () => {
    expect(await declareShop([productResource([])]).sitemap('product')).toMatchObject({
      items: [],
      cursor: { next: null },
    })
    expect(await declareShop([productResource(makeProducts(1))]).sitemap('product')).toMatchObject({
      cursor: { next: null },
    })
  })
})

describe('a full page', () => {
  test('always goes on, so that what is added later is found behind it', async () => {
    const products = makeProducts(4)
    const shop = declareShop([productResource(products)], { pageSize: 2 })
    const [first, second, third] = await walk(shop)
    expect([first?.items.length, second?.items.length, third?.items.length]).toEqual([2, 2, 0])

    products.push({ slug: 'late', title: 'Late', updatedAt: '2027-01-01T00:00:00Z' })
    const [, again] = await walk(shop)
    expect(again?.checksum).toBe(second?.checksum)
    const tail = await shop.sitemap('product', nextOf(second!))
    expect(idsOf([tail])).toEqual(['product:late'])
  })

  test('keeps its entity-tag, and a reader who kept its cursor misses nothing', async () => {
    const products = makeProducts(2)
    const shop = declareShop([productResource(products)], { pageSize: 2 })
    const first = await fetchFrom(shop, PATHS.sitemap)
    const cursor = nextOf((await first.json()) as SitemapV1) ?? ''
    for (let index = 0; index < 5; index++)
      products.push({ slug: `late-${String(index)}`, title: '', updatedAt: '2027-01-01T00:00:00Z' })
    const unchanged = await fetchFrom(shop, PATHS.sitemap, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    expect(unchanged.status).toBe(304)
    const found: SitemapV1[] = []
    for (let next: string | null = cursor; next !== null; next = nextOf(found.at(-1)!))
      found.push(await shop.sitemap('product', next))
    expect(idsOf(found)).toEqual([0, 1, 2, 3, 4].map((index) => `product:late-${String(index)}`))
  })

  test('is judged by what list gave, not by what could be published', async () => {
    const products = makeProducts(2)
    products[1] = { ...products[1]!, slug: 'NOT-A-NAME' }
    const page = await declareShop([productResource(products)], { pageSize: 2 }).sitemap('product')
    expect(page.items).toHaveLength(1)
    expect(nextOf(page)).not.toBeNull()
  })
})

describe('cursors', () => {
  const products = makeProducts(5)
  const shop = declareShop([productResource(products), productResource(products, { type: 'offer' })], {
    pageSize: 2,
  })

  test('are the same for the same place, and never empty', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => declareShop([productResource(products)], { pageSize: 2 }).sitemap('product')),
    )
    expect(nextOf(one!)).toBe(nextOf(other!))
    expect(nextOf(one!)).not.toBe('')
  })

  test('the application gets back what it gave, an empty text and any Unicode included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (raw) => {
        const seen: (string | null)[] = []
        const list = ({ cursor }: ListArguments): { items: Product[]; nextCursor: string | null } => {
          seen.push(cursor)
          return { items: [], nextCursor: cursor === null ? raw : null }
        }
        await walk(declareShop([productResource([], { list })]))
        expect(seen).toEqual([null, raw])
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['a NUL', '\0'],
    ['a word', 'abc'],
    ['nothing', ''],
    ['a megabyte', 'A'.repeat(1024 * 1024)],
    ['a place of another kind', encode({ o: -1 })],
    ['an offset as text', encode({ o: '1' })],
    ['a fraction', encode({ o: 1.5 })],
    ['a great number', encode({ o: 1e9 })],
    ['a boolean', encode({ o: true })],
    ['an empty object', encode({})],
    ['a number', encode(['1.0', 'product', 'at', 2])],
    ['another wire version', encode(['0.1', 'product', 'at', '2'])],
    ['another type', encode(['1.0', 'offer', 'at', '2'])],
    ['another direction', encode(['1.0', 'product', 'before', '2'])],
    ['one part more', encode(['1.0', 'product', 'at', '2', 3])],
    ['the form of another implementation', encode({ type: 'product', version: '1.0', raw: '2' })],
    ['the same place spelt otherwise', Buffer.from('["1.0", "product","at","2"]').toString('base64url')],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe]).toString('base64url')],
  ])('%s is refused with 400 and never reaches list (PG-11, PG-14)', async (_name, cursor) => {
    let calls = 0
    const counting = declareShop([
      productResource([], {
        list: () => {
          calls++
          return { items: [], nextCursor: null }
        },
      }),
    ])
    const response = await fetchFrom(counting, withCursor(cursor))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } })
    expect(calls).toBe(0)
  })

  test('of another type is refused', async () => {
    const cursor = nextOf(await shop.sitemap('offer')) ?? ''
    expect((await fetchFrom(shop, withCursor(cursor))).status).toBe(400)
  })

  test('any change is refused (PG-13)', async () => {
    const cursor = nextOf(await shop.sitemap('product')) ?? ''
    for (const changed of [
      `${cursor}!`,
      `${cursor}=`,
      `${cursor}+`,
      `${cursor}/`,
      ` ${cursor}`,
      `${cursor}A`,
      cursor.slice(0, -1),
      cursor.replace(/./, '+'),
    ]) {
      expect((await fetchFrom(shop, withCursor(changed))).status).toBe(400)
    }
    expect((await fetchFrom(shop, withCursor(cursor))).status).toBe(200)
  })

  test('signed ones cannot be made by a reader', async () => {
    const cursorSecret = 'an example of a secret of 32 chars'
    const signed = declareShop([productResource(products)], { pageSize: 2, cursorSecret })
    const cursor = nextOf(await signed.sitemap('product')) ?? ''
    const [payload = '', signature = ''] = cursor.split('.')
    const forged = Buffer.from('["1.0","product","at","4"]').toString('base64url')
    for (const text of [
      payload,
      forged,
      `${forged}.${signature}`,
      `${payload}.`,
      `${payload}.${'A'.repeat(43)}`,
      nextOf(await shop.sitemap('product')) ?? '',
    ]) {
      expect((await fetchFrom(signed, withCursor(text))).status).toBe(400)
    }
    expect((await fetchFrom(signed, withCursor(cursor))).status).toBe(200)
  })

  test('a secret can be replaced while cursors of the old one still work', async () => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)]
    const before = declareShop([productResource(products)], { pageSize: 2, cursorSecret: old })
    const during = declareShop([productResource(products)], { pageSize: 2, cursorSecret: [fresh, old] })
    const after = declareShop([productResource(products)], { pageSize: 2, cursorSecret: fresh })
    const oldCursor = nextOf(await before.sitemap('product')) ?? ''
    const newCursor = nextOf(await during.sitemap('product')) ?? ''
    expect((await fetchFrom(during, withCursor(oldCursor))).status).toBe(200)
    expect((await fetchFrom(after, withCursor(newCursor))).status).toBe(200)
    expect((await fetchFrom(after, withCursor(oldCursor))).status).toBe(400)
  })

  test('other query parameters change nothing', async () => {
    expect(await jsonFrom(shop, `${PATHS.sitemap}?a=b&limit=1`)).toEqual(await shop.sitemap('product'))
  })
})

describe('what list may not do', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no items', { nextCursor: null }],
    ['items that are no array', { items: { length: 0 }, nextCursor: null }],
    ['nextCursor undefined', { items: [] }],
    ['nextCursor 42', { items: [], nextCursor: 42 }],
    ['nextCursor {}', { items: [], nextCursor: {} }],
    ['nextCursor []', { items: [], nextCursor: [] }],
    ['a lone surrogate', { items: [], nextCursor: '\ud800' }],
    ['a cursor too long to send', { items: [], nextCursor: 'x'.repeat(10_000) }],
    ['more than a page holds', { items: makeProducts(101), nextCursor: null }],
  ])('%s fails the request with 502 and tells the operator', async (_name, result) => {
    const reported: unknown[] = []
    const shop = declareShop([productResource([], { list: () => result as never })], {
      onError: (error, fault) => reported.push([(error as Error).message, fault.operation, fault.outcome]),
    })
    const response = await fetchFrom(shop, PATHS.sitemap)
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      error: { code: 'upstream_unavailable', message: 'The content could not be read.' },
    })
    expect(reported).toEqual([[expect.any(String), 'list', 'request_failed']])
  })

  test('return the cursor it was given', async () => {
    const shop = declareShop([productResource([], { list: () => ({ items: [], nextCursor: 'same' }) })])
    const cursor = nextOf(await shop.sitemap('product')) ?? ''
    expect((await fetchFrom(shop, withCursor(cursor))).status).toBe(502)
  })
})

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
