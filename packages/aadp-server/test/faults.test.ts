import type { ErrorEnvelopeV1 } from '@doorplate/aadp-schemas'
import { describe, expect, test, vi } from 'vitest'
import {
  type AadpConfig,
  type AadpServer,
  type Fault,
  notFound,
  type Resource,
  type ResourceConfig,
  type SerializedEntity,
  UnpublishableRecordError,
} from '../src/index.js'
import {
  declareShop,
  fetchFrom,
  jsonFrom,
  makeProducts,
  ORIGIN,
  PATHS,
  type Product,
  productResource,
  rawRequest,
} from './shop.js'

interface Report {
  readonly error: unknown
  readonly fault: Fault
}

function reportingShop(
  overrides: Partial<Resource<Product>>,
  config: Partial<AadpConfig> = {},
  products: Product[] = makeProducts(3),
): { shop: AadpServer; reports: Report[] } {
  const reports: Report[] = []
  const shop = declareShop([productResource(products, overrides)], {
    onError: (error, fault) => reports.push({ error, fault }),
    ...config,
  })
  return { shop, reports }
}

/** Serialises product-01 in some wrong way. */
function wrongly(change: (entity: SerializedEntity) => unknown): Partial<Resource<Product>> {
  return {
    serialize({ slug, title, updatedAt }) {
      const entity = { id: `product:${slug}`, updatedAt, data: { title } }
      return (slug === 'product-01' ? change(entity) : entity) as SerializedEntity
    },
  }
}

const BROKEN: [string, (entity: SerializedEntity) => unknown, string][] = [
  ['a Date in data', (entity) => ({ ...entity, data: { when: new Date(0) } }), 'data/when'],
  ['a Map in data', (entity) => ({ ...entity, data: { map: new Map() } }), 'data/map'],
  ['a boxed number in data', (entity) => ({ ...entity, data: { n: Object(3) as unknown } }), 'data/n'],
  ['undefined in data', (entity) => ({ ...entity, data: { a: undefined } }), 'data/a'],
  ['NaN in data', (entity) => ({ ...entity, data: { a: [NaN] } }), 'data/a/0'],
  ['a toJSON in data', (entity) => ({ ...entity, data: { a: { toJSON: () => 1 } } }), 'data/a/toJSON'],
  ['a lone surrogate in data', (entity) => ({ ...entity, data: { a: '\udfff' } }), 'data/a'],
  ['data that is an array', (entity) => ({ ...entity, data: [] }), 'data'],
  ['data that is null', (entity) => ({ ...entity, data: null }), 'data'],
  ['data that is a class instance', (entity) => ({ ...entity, data: new Map() }), 'data'],
  ['no data', ({ id, updatedAt }) => ({ id, updatedAt }), 'data'],
  ['an id in capitals', (entity) => ({ ...entity, id: 'product:Product-01' }), 'id'],
  ['an id of another type', (entity) => ({ ...entity, id: 'post:product-01' }), 'id'],
  ['an id without a type', (entity) => ({ ...entity, id: 'product-01' }), 'id'],
  ['an id that leaves its folder', (entity) => ({ ...entity, id: 'product:../../admin' }), 'id'],
  ['an id with a query', (entity) => ({ ...entity, id: 'product:a/b?x#y' }), 'id'],
  ['a dot for an id', (entity) => ({ ...entity, id: 'product:..' }), 'id'],
  ['an id that is no text', (entity) => ({ ...entity, id: 7 }), 'id'],
  ['a day for a time', (entity) => ({ ...entity, updatedAt: '2026-01-01' }), 'updatedAt'],
  ['a time without a zone', (entity) => ({ ...entity, updatedAt: '2026-01-01T00:00:00' }), 'updatedAt'],
  ['an invalid Date', (entity) => ({ ...entity, updatedAt: new Date(NaN) }), 'updatedAt'],
  ['a day that is not', (entity) => ({ ...entity, updatedAt: '2026-02-30T00:00:00Z' }), 'updatedAt'],
  ['a number for a time', (entity) => ({ ...entity, updatedAt: 0 }), 'updatedAt'],
  ['a script for a URL', (entity) => ({ ...entity, canonicalUrl: 'javascript:alert(1)' }), 'canonicalUrl'],
  [
    'a URL with a password',
    (entity) => ({ ...entity, canonicalUrl: 'https://a:b@acme.test/' }),
    'canonicalUrl',
  ],
  ['no URL at all', (entity) => ({ ...entity, canonicalUrl: 'https://' }), 'canonicalUrl'],
  ['a locale that is none', (entity) => ({ ...entity, locale: 'en"\r\n' }), 'locale'],
  ['extensions of null', (entity) => ({ ...entity, extensions: null }), 'extensions'],
  ['extensions in an array', (entity) => ({ ...entity, extensions: [] }), 'extensions'],
  ['extensions of a class', (entity) => ({ ...entity, extensions: new Date(0) }), 'extensions'],
  ['an extension without x_', (entity) => ({ ...entity, extensions: { data: {} } }), 'extensions/data'],
  ['an extension with a dash', (entity) => ({ ...entity, extensions: { 'x_a-b': 1 } }), 'extensions/x_a-b'],
  ['an extension that is no JSON', (entity) => ({ ...entity, extensions: { x_a: 1n } }), 'extensions/x_a'],
  ['null', () => null, 'serialize'],
  ['nothing', () => undefined, 'serialize'],
]

describe('a record that can never be published', () => {
  test.each(BROKEN)(
    '%s is left out of its page, told of, and 502 by itself',
    async (_name, change, member) => {
      const { shop, reports } = reportingShop(wrongly(change))
      const page = await shop.sitemap('product')
      expect(page.items.map(({ id }) => id)).toEqual(['product:product-00', 'product:product-02'])
      expect(reports).toHaveLength(1)
      expect(reports[0]?.fault).toMatchObject({
        operation: 'publish',
        outcome: 'record_omitted',
        type: 'product',
      })
      expect(reports[0]?.error).toBeInstanceOf(UnpublishableRecordError)
      expect(reports[0]?.error).toMatchObject({ code: 'unpublishable_record', member })

      const response = await fetchFrom(shop, '/ai/v1.0/entities/product/product-01.json')
      const { error } = (await response.json()) as ErrorEnvelopeV1
      expect(response.status).toBe(502)
      expect(error).toMatchObject({ code: 'upstream_unavailable', message: 'The content could not be read.' })
      expect(reports[1]?.fault).toMatchObject({ requestId: error.request_id, outcome: 'request_failed' })
    },
  )

  const lazy = (): never => {
    throw new Error('not loaded')
  }
  test.each<[string, (entity: SerializedEntity) => unknown]>([
    ['an id', (entity) => Object.defineProperty({ ...entity }, 'id', { get: lazy })],
    ['data', (entity) => Object.defineProperty({ ...entity }, 'data', { get: lazy })],
    [
      'a member of data',
      (entity) => ({ ...entity, data: Object.defineProperty({}, 'title', { get: lazy, enumerable: true }) }),
    ],
    ['anything', (entity) => new Proxy(entity, { get: lazy, has: lazy })],
  ])(
    'cannot be read at %s: it is left out, whether or not it was published before',
    async (_name, change) => {
      let isBroken = false
      const { shop, reports } = reportingShop(wrongly((entity) => (isBroken ? change(entity) : entity)))
      expect((await shop.sitemap('product')).items).toHaveLength(3)
      isBroken = true
      expect((await shop.sitemap('product')).items).toHaveLength(2)
      expect(reports.map(({ fault }) => fault)).toMatchObject([{ operation: 'publish', type: 'product' }])
    },
  )

  test('is one with an id of another type, also when that type has published the same', async () => {
    const products = makeProducts(1)
    const mistaken = productResource(products, { type: 'offer' })
    const shop = declareShop([productResource(products), mistaken], { onError: () => undefined })
    expect((await shop.sitemap('product')).items).toHaveLength(1)
    expect((await shop.sitemap('offer')).items).toEqual([])
  })

  test('fails its page if the declaration says so', async () => {
    const { shop, reports } = reportingShop(
      wrongly(() => null),
      { unpublishableRecords: 'fail' },
    )
    expect((await fetchFrom(shop, PATHS.sitemap)).status).toBe(502)
    expect(reports[0]?.fault.outcome).toBe('request_failed')
  })

  test('an id that comes twice is published once', async () => {
    const twice = [...makeProducts(2), ...makeProducts(1)]
    const { shop, reports } = reportingShop({}, {}, twice)
    expect((await shop.sitemap('product')).items).toHaveLength(2)
    expect(reports).toHaveLength(1)
    expect(reports[0]?.fault).toMatchObject({ outcome: 'record_omitted', id: 'product:product-00' })
  })

  test('a record that gives another id than was asked for is not found', async () => {
    const { shop } = reportingShop({ get: () => makeProducts(2)[1] })
    expect((await fetchFrom(shop, PATHS.entity)).status).toBe(404)
  })
})

describe('what throws', () => {
  const cause = new Error('connection to 10.0.0.7 refused, password hunter2')
  function fail(): never {
    throw cause
  }

  test.each([
    ['list', { list: fail }, PATHS.sitemap],
    ['list', { list: () => Promise.reject(cause) }, PATHS.sitemap],
    ['get', { get: fail }, PATHS.entity],
    ['serialize', { serialize: fail }, PATHS.sitemap],
    ['serialize', { serialize: fail }, PATHS.entity],
    ['serialize', { identify: fail }, PATHS.sitemap],
    ['markdown', { markdown: fail }, PATHS.entity],
  ] as const)(
    'in %s fails the request with 502 and keeps its reasons to itself',
    async (operation, overrides, path) => {
      const { shop, reports } = reportingShop(overrides)
      const response = await fetchFrom(shop, path, {
        headers: operation === 'markdown' ? { accept: 'text/markdown' } : {},
      })
      const text = await response.text()
      expect(response.status).toBe(502)
      expect(text).not.toMatch(/10\.0\.0\.7|hunter2|at /)
      const { error } = JSON.parse(text) as ErrorEnvelopeV1
      expect(reports).toEqual([
        {
          error: cause,
          fault: expect.objectContaining({
            requestId: error.request_id,
            operation,
            outcome: 'request_failed',
            type: 'product',
          }) as unknown,
        },
      ])
    },
  )

  test('in serialize leaves the record out if the declaration says so', async () => {
    const { shop, reports } = reportingShop(wrongly(fail), { failingRecords: 'omit' })
    expect((await shop.sitemap('product')).items).toHaveLength(2)
    expect(reports[0]).toMatchObject({
      error: cause,
      fault: { operation: 'serialize', outcome: 'record_omitted' },
    })
  })

  test('in onError fails nothing', async () => {
    const { shop } = reportingShop({ list: fail }, { onError: fail })
    expect((await fetchFrom(shop, PATHS.sitemap)).status).toBe(502)
  })

  test('in count leaves the count out', async () => {
    for (const count of [fail, () => -1, () => '3' as never, () => Promise.reject(cause)]) {
      const { shop, reports } = reportingShop({ count })
      expect((await shop.sitemapIndex()).sitemaps[0]).toEqual({
        type: 'product',
        url: ORIGIN + PATHS.sitemap,
      })
      expect(reports[0]?.fault).toMatchObject({
        operation: 'count',
        outcome: 'count_omitted',
        type: 'product',
      })
    }
  })

  test('a refusal of the application is its own affair and not reported', async () => {
    const { shop, reports } = reportingShop({
      get: () => {
        throw notFound('Sold out.')
      },
    })
    const response = await fetchFrom(shop, PATHS.entity)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { message: 'Sold out.' } })
    expect(reports).toEqual([])
  })

  test('rejects a direct call with the error a requester would be told of', async () => {
    const { shop } = reportingShop({ list: fail })
    await expect(shop.sitemap('product')).rejects.toMatchObject({
      code: 'upstream_unavailable',
      status: 502,
      cause,
    })
    await expect(shop.sitemap('none')).rejects.toMatchObject({ code: 'unsupported_type', status: 404 })
    await expect(shop.entity('none', 'UPPER')).rejects.toMatchObject({ code: 'unsupported_type' })
    await expect(shop.entity('product', 'UPPER')).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
    })
    await expect(shop.entity('product', 'none')).rejects.toMatchObject({ code: 'not_found', status: 404 })
    await expect(shop.sitemap('product', '')).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('time', () => {
  test.each([
    [504, undefined],
    [502, 502],
  ] as const)('a slow application is answered for with %i', async (status, upstreamTimeoutStatus) => {
    vi.useFakeTimers()
    try {
      const signals: AbortSignal[] = []
      const { shop, reports } = reportingShop(
        {
          list: ({ signal }) => {
            signals.push(signal)
            return new Promise(() => {})
          },
        },
        { upstreamTimeoutMs: 5000, ...(upstreamTimeoutStatus && { upstreamTimeoutStatus }) },
      )
      const response = fetchFrom(shop, PATHS.sitemap)
      await vi.advanceTimersByTimeAsync(4999)
      expect(signals[0]?.aborted).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect((await response).status).toBe(status)
      expect(await (await response).json()).toMatchObject({ error: { code: 'upstream_timeout' } })
      expect(signals[0]?.aborted).toBe(true)
      expect(reports[0]?.fault).toMatchObject({ operation: 'list', outcome: 'request_failed' })
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('an application in time leaves no timer behind', async () => {
    vi.useFakeTimers()
    try {
      const { shop } = reportingShop({}, { upstreamTimeoutMs: 5000 })
      expect((await fetchFrom(shop, PATHS.sitemap)).status).toBe(200)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('when the requester goes, the application hears of it and nobody else', async () => {
    const gone = new AbortController()
    const { shop, reports } = reportingShop({
      list: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('stopped'))
          })
          gone.abort('bye')
        }),
    })
    await expect(shop.respond({ ...rawRequest(PATHS.sitemap), signal: gone.signal })).rejects.toBe('bye')
    expect(reports).toEqual([])
  })

  const never = (): Promise<never> => Promise.race([])

  test.each<[string, Partial<ResourceConfig<Product>>, string, Record<string, string>]>([
    ['list', { list: never }, PATHS.sitemap, {}],
    ['get', { get: never }, PATHS.entity, {}],
    ['count', { count: never }, PATHS.index, {}],
    ['markdown', { markdown: never }, PATHS.entity, { accept: 'text/markdown' }],
  ])('nobody waits for a %s that takes no notice', async (_name, overrides, path, headers) => {
    const { shop, reports } = reportingShop(overrides)
    for (const isGoneBefore of [false, true]) {
      const gone = new AbortController()
      if (isGoneBefore) gone.abort('bye')
      const response = shop.handleRequest(new Request(ORIGIN + path, { headers, signal: gone.signal }))
      gone.abort('bye')
      await expect(response).rejects.toBe('bye')
    }
    expect(reports).toEqual([])
  })

  test('nor does who asks for a document directly', async () => {
    const { shop } = reportingShop({ list: never, get: never, count: never })
    const gone = new AbortController()
    const request = new Request(ORIGIN, { signal: gone.signal })
    const documents = [
      shop.sitemapIndex(request),
      shop.sitemap('product', null, request),
      shop.entity('product', 'product-00', request),
    ]
    gone.abort('bye')
    for (const { status, reason } of (await Promise.allSettled(documents)) as PromiseRejectedResult[]) {
      expect([status, reason]).toEqual(['rejected', 'bye'])
    }
  })

  test('a promise of another library is waited for as any other', async () => {
    const product = makeProducts(1)[0]!
    const later = <Value>(value: Value): Promise<Value> =>
      ({
        then: (keep: (value: Value) => void) => {
          keep(value)
        },
      }) as Promise<Value>
    for (const upstreamTimeoutMs of [undefined, 5000]) {
      const { shop } = reportingShop(
        { get: () => later(product), list: () => later({ items: [product], nextCursor: null }) },
        upstreamTimeoutMs === undefined ? {} : { upstreamTimeoutMs },
      )
      expect(await jsonFrom(shop, PATHS.entity)).toMatchObject({ id: 'product:product-00' })
      expect(await jsonFrom(shop, PATHS.sitemap)).toMatchObject({ items: [{ id: 'product:product-00' }] })
    }
  })
})

describe('a callback that gives a promise', () => {
  const boom = (): Promise<never> => Promise.reject(new Error('boom'))

  test.each([
    ['serialize', { serialize: boom as unknown as Resource<Product>['serialize'] }],
    ['identify', { identify: boom as unknown as NonNullable<Resource<Product>['identify']> }],
    ['onError', {}],
  ] as const)('%s fails the request, and its rejection ends no process', async (name, overrides) => {
    const rejections: unknown[] = []
    const note = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', note)
    const failing = name === 'onError' ? { get: boom, list: boom } : overrides
    const shop = declareShop([productResource(makeProducts(2), failing)], { onError: boom })
    for (const path of [PATHS.sitemap, PATHS.entity]) {
      expect((await fetchFrom(shop, path)).status).toBe(502)
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
  })
})

test.each([
  () => {
    throw new Error('no id')
  },
  () => '',
  () => 42 as unknown as string,
])('an envelope has an id even if requestId fails', async (requestId) => {
  const response = await fetchFrom(declareShop([], { requestId }), '/nowhere')
  expect(response.status).toBe(404)
  const { error } = (await response.json()) as ErrorEnvelopeV1
  expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('a cursor or id of another type than text is the fault of the caller', async () => {
  const shop = declareShop([productResource(makeProducts(1))])
  for (const value of [42, {}, [], true]) {
    await expect(shop.sitemap('product', value as unknown as string)).rejects.toMatchObject({ status: 400 })
    await expect(shop.entity('product', value as unknown as string)).rejects.toMatchObject({ status: 400 })
  }
  await expect(shop.entity('product', null as unknown as string)).rejects.toMatchObject({ status: 400 })
})
