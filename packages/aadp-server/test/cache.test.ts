import type { ErrorEnvelopeV1 } from '@doorplate/aadp-schemas'
import { describe, expect, test } from 'vitest'
import type { AadpConfig, AadpServer, GetArguments, Resource } from '../src/index.js'
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

describe('dates', () => {
  const FUTURE = '2030-01-01T00:00:00Z'
  const paths = [PATHS.sitemap, PATHS.entity]

  test.each(paths)('from the future prove nothing once the content has changed: %s', async (path) => {
    const products = makeProducts(1).map((product) => ({ ...product, updatedAt: FUTURE }))
    let now = Date.parse('2026-06-01T00:00:00Z')
    const shop = declareShop([productResource(products)], { now: () => now })
    const date = (await fetchFrom(shop, path)).headers.get('last-modified') ?? ''
    const headers = { 'if-modified-since': date }
    expect((await fetchFrom(shop, path, { headers })).status).toBe(304)
    now += 1000
    products[0] = { ...products[0]!, title: 'Changed', updatedAt: new Date(now).toISOString() }
    expect((await fetchFrom(shop, path, { headers })).status).toBe(200)
  })

  test.each(paths)('stay behind a change that was seen before the clock was set back: %s', async (path) => {
    const products = makeProducts(1)
    let now = Date.parse('2026-06-01T00:00:00Z')
    const shop = declareShop([productResource(products)], { now: () => now })
    await fetchFrom(shop, path)
    products[0] = { ...products[0]!, title: 'Changed' }
    await fetchFrom(shop, path)
    const headers = { 'if-modified-since': new Date(now).toUTCString() }
    now -= 3_600_000
    products[0] = { ...products[0], title: 'Changed again' }
    expect((await fetchFrom(shop, path, { headers })).status).toBe(200)
  })

  test('of an index from the future prove nothing once a count has changed', async () => {
    let count = 1
    const shop = declareShop([productResource([], { count: () => count })], { lastModified: FUTURE })
    const date = (await fetchFrom(shop, PATHS.index)).headers.get('last-modified') ?? ''
    count = 2
    const headers = { 'if-modified-since': date }
    expect((await fetchFrom(shop, PATHS.index, { headers })).status).toBe(200)
  })
})

describe('documentCacheMs', () => {
  test('is over when the clock was set back: nobody knows how old an answer is', async () => {
    let now = 5_000_000
    const { shop, calls } = countingShop(makeProducts(1), {}, { documentCacheMs: 1000, now: () => now })
    await jsonFrom(shop, PATHS.entity)
    now -= 3_600_000
    await jsonFrom(shop, PATHS.entity)
    expect(calls.get).toBe(2)
  })

  test('counts what a long cursor takes', async () => {
    const { shop, calls } = countingShop(
      [],
      {},
      { documentCacheMs: 1000, now: () => 0, cacheMaxBytes: 24_000 },
    )
    for (const [raw, lists] of [
      ['a', 1],
      ['x'.repeat(2500), 2],
    ] as const) {
      calls.list = 0
      const cursor = Buffer.from(JSON.stringify(['1.0', 'product', 'at', raw])).toString('base64url')
      for (let count = 0; count < 2; count++) {
        expect((await fetchFrom(shop, `${PATHS.sitemap}?cursor=${cursor}`)).status).toBe(200)
      }
      expect(calls.list).toBe(lists)
    }
  })

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

  /** A shop whose `get` is answered by the test, call by call. */
  function waitingShop(): {
    shop: AadpServer
    gets: { args: GetArguments; give: (product: Product) => void; fail: (error: unknown) => void }[]
    ask: (signal?: AbortSignal) => Promise<Response>
  } {
    const gets: ReturnType<typeof waitingShop>['gets'] = []
    const get = (args: GetArguments): Promise<Product> =>
      new Promise((give, fail) => gets.push({ args, give, fail }))
    const shop = declareShop([productResource([], { get })], { documentCacheMs: 1000, now: () => 0 })
    const ask = (signal?: AbortSignal): Promise<Response> =>
      fetchFrom(shop, PATHS.entity, signal && { signal })
    return { shop, gets, ask }
  }

  const [product, renamed] = [makeProducts(1)[0]!, { ...makeProducts(1)[0]!, title: 'Renamed' }]

  test('asks once for all who ask meanwhile, and with the request of none', async () => {
    const { shop, gets, ask } = waitingShop()
    const answers = [ask(), ask(), shop.entity('product', 'product-00'), ask()]
    await Promise.resolve()
    expect(gets).toHaveLength(1)
    expect(gets[0]?.args.request).toBeUndefined()
    gets[0]?.give(product)
    for (const answer of await Promise.all(answers)) {
      expect(answer instanceof Response ? await answer.json() : answer).toMatchObject({
        data: { title: 'Product 0' },
      })
    }
    expect((await ask()).status).toBe(200)
    expect(gets).toHaveLength(1)
  })

  test('tells all who wait of a failure, each under an id of its own, and asks again', async () => {
    const { gets, ask } = waitingShop()
    const answers = [ask(), ask()]
    gets[0]?.fail(new Error('down'))
    const envelopes = await Promise.all(
      (await Promise.all(answers)).map((answer) => answer.json() as Promise<ErrorEnvelopeV1>),
    )
    expect(envelopes.map(({ error }) => error.code)).toEqual(['upstream_unavailable', 'upstream_unavailable'])
    expect(new Set(envelopes.map(({ error }) => error.request_id)).size).toBe(2)
    const again = ask()
    gets[1]?.give(product)
    expect((await again).status).toBe(200)
    expect(gets).toHaveLength(2)
  })

  test('goes on when one of those who wait goes, and stops with the last', async () => {
    const { gets, ask } = waitingShop()
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
    const answers = [first, second, third].map(({ signal }) => ask(signal))
    first.abort('first')
    await expect(answers[0]).rejects.toBe('first')
    second.abort('second')
    await expect(answers[1]).rejects.toBe('second')
    expect(gets[0]?.args.signal.aborted).toBe(false)
    gets[0]?.give(product)
    expect((await answers[2])?.status).toBe(200)
    third.abort('late')
    expect(gets[0]?.args.signal.aborted).toBe(false)

    const other = waitingShop()
    const gone = new AbortController()
    const given = [other.ask(gone.signal), other.ask(gone.signal)]
    gone.abort('bye')
    await expect(Promise.allSettled(given)).resolves.toMatchObject([{ reason: 'bye' }, { reason: 'bye' }])
    expect(other.gets[0]?.args.signal.aborted).toBe(true)
    const later = other.ask()
    other.gets[1]?.give(renamed)
    expect(await (await later).json()).toMatchObject({ data: { title: 'Renamed' } })
    other.gets[0]?.give(product)
    await Promise.resolve()
    expect(await (await other.ask()).json()).toMatchObject({ data: { title: 'Renamed' } })
    expect(other.gets).toHaveLength(2)
  })
})
