import { validateDocument } from '@doorplate/aadp-schemas'
import { describe, expect, test } from 'vitest'
import { forbidden, rateLimited, type Resource, unauthorized, upstreamUnavailable } from '../src/index.js'
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

const server = declareShop([productResource(makeProducts(3))], { lastModified: '2026-01-01T00:00:00Z' })

describe('methods', () => {
  test.each(Object.values(PATHS))('HEAD %s is GET without the body (HC-12)', async (path) => {
    const get = await fetchFrom(server, path)
    const head = await fetchFrom(server, path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
    expect(await head.text()).toBe('')
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength))
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'])(
    '%s is 405 with Allow on known paths and 404 elsewhere',
    async (method) => {
      for (const path of Object.values(PATHS)) {
        const response = await fetchFrom(server, path, { method, headers: { 'if-none-match': '*' } })
        expect(response.status).toBe(405)
        expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
        expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
      }
      expect((await fetchFrom(server, '/nowhere', { method })).status).toBe(404)
    },
  )

  test('OPTIONS answers a preflight on any path', async () => {
    const keyed = declareShop([], {
      securitySchemes: { key: { type: 'api_key', in: 'header', name: 'X-Api-Key' } },
    })
    for (const path of [PATHS.manifest, '/nowhere', '/%zz']) {
      const response = await fetchFrom(keyed, path, { method: 'OPTIONS' })
      expect(response.status).toBe(204)
      expect(response.body).toBe(null)
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'If-None-Match, If-Modified-Since, Authorization, X-Api-Key',
      )
      expect(response.headers.get('access-control-max-age')).toBe('86400')
    }
  })
})

describe('conditions', () => {
  test.each(Object.values(PATHS))('%s is 304 to each form of its entity-tag (HC-08, HC-10)', async (path) => {
    const full = await fetchFrom(server, path)
    const etag = full.headers.get('etag') ?? ''
    for (const tags of [etag, `W/${etag}`, '*', `"x", ${etag}`, `"x",W/${etag}, "y"`]) {
      const response = await fetchFrom(server, path, { headers: { 'if-none-match': tags } })
      expect(response.status).toBe(304)
      expect(response.body).toBe(null)
      for (const name of ['etag', 'cache-control', 'last-modified', 'vary', 'access-control-allow-origin']) {
        expect(response.headers.get(name)).toBe(full.headers.get(name))
      }
    }
    for (const tags of ['"x"', etag.replaceAll('"', ''), '']) {
      expect((await fetchFrom(server, path, { headers: { 'if-none-match': tags } })).status).toBe(200)
    }
  })

  test.each([PATHS.index, PATHS.sitemap, PATHS.entity])(
    '%s is 304 since its own Last-Modified, 200 since earlier',
    async (path) => {
      const lastModified = (await fetchFrom(server, path)).headers.get('last-modified') ?? ''
      const earlier = new Date(Date.parse(lastModified) - 1000).toUTCString()
      expect((await fetchFrom(server, path, { headers: { 'if-modified-since': lastModified } })).status).toBe(
        304,
      )
      expect((await fetchFrom(server, path, { headers: { 'if-modified-since': earlier } })).status).toBe(200)
      expect((await fetchFrom(server, path, { headers: { 'if-modified-since': 'yesterday' } })).status).toBe(
        200,
      )
    },
  )

  test('If-None-Match decides alone (HC-04)', async () => {
    const headers = { 'if-none-match': '"v1"', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }
    expect((await fetchFrom(server, PATHS.entity, { headers })).status).toBe(200)
  })

  test('a time within a second is no obstacle (HC-06)', async () => {
    const shop = declareShop([
      productResource([{ slug: 'product-00', title: '', updatedAt: '2024-01-01T00:00:00.999Z' }]),
    ])
    const lastModified = (await fetchFrom(shop, PATHS.entity)).headers.get('last-modified') ?? ''
    expect(lastModified).toBe('Mon, 01 Jan 2024 00:00:00 GMT')
    expect(
      (await fetchFrom(shop, PATHS.entity, { headers: { 'if-modified-since': lastModified } })).status,
    ).toBe(304)
  })

  test('an error stays what it is, whatever the condition (HC-13, HC-21)', async () => {
    const headers = { 'if-none-match': '*', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }
    expect((await fetchFrom(server, '/ai/v1.0/entities/product/none.json', { headers })).status).toBe(404)
    expect((await fetchFrom(server, '/ai/v1.0/entities/none/none.json', { headers })).status).toBe(404)
    expect((await fetchFrom(server, `${PATHS.sitemap}?cursor=x`, { headers })).status).toBe(400)
    expect((await fetchFrom(server, PATHS.entity, { method: 'POST', headers })).status).toBe(405)
  })

  test('a date proves nothing once a record was seen to leave without leaving a younger one', async () => {
    const products = makeProducts(3)
    const shop = declareShop([productResource(products)])
    const lastModified = (await fetchFrom(shop, PATHS.sitemap)).headers.get('last-modified') ?? ''
    products.shift()
    const response = await fetchFrom(shop, PATHS.sitemap, { headers: { 'if-modified-since': lastModified } })
    expect(response.status).toBe(200)
    expect(response.headers.get('last-modified')).toBe(lastModified)
  })

  test('a date proves nothing about an entity that changed without saying so', async () => {
    const products = makeProducts(1)
    const shop = declareShop([productResource(products)])
    const lastModified = (await fetchFrom(shop, PATHS.entity)).headers.get('last-modified') ?? ''
    products[0] = { ...products[0]!, title: 'Renamed' }
    const response = await fetchFrom(shop, PATHS.entity, { headers: { 'if-modified-since': lastModified } })
    expect(await response.json()).toMatchObject({ data: { title: 'Renamed' } })
  })
})

describe('headers', () => {
  test('every document may be read by any page and says how long it keeps', async () => {
    for (const path of Object.values(PATHS)) {
      const { headers } = await fetchFrom(server, path)
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('ETag')
      expect(headers.get('cache-control')).toBe('public, max-age=300')
    }
  })

  test('Last-Modified agrees with the document', async () => {
    const sitemap = await fetchFrom(server, PATHS.sitemap)
    const { generated_at: generatedAt } = (await sitemap.json()) as { generated_at: string }
    expect(sitemap.headers.get('last-modified')).toBe(new Date(generatedAt).toUTCString())
  })

  test.each([
    [undefined, 'public, max-age=60'],
    ['open', 'public, max-age=60'],
    ['key', 'private, no-store'],
    ['login', 'private, no-store'],
  ])('security %s gives Cache-Control "%s"', async (security, cacheControl) => {
    const shop = declareShop([productResource(makeProducts(1), security === undefined ? {} : { security })], {
      cacheMaxAgeSeconds: 60,
      securitySchemes: {
        open: { type: 'none' },
        key: { type: 'api_key', in: 'query', name: 'key' },
        login: { type: 'oauth2', authorization_url: 'https://acme.test/login' },
      },
    })
    for (const path of [PATHS.sitemap, PATHS.entity]) {
      const full = await fetchFrom(shop, path)
      expect(full.headers.get('cache-control')).toBe(cacheControl)
      const unchanged = await fetchFrom(shop, path, { headers: { 'if-none-match': '*' } })
      expect(unchanged.headers.get('cache-control')).toBe(cacheControl)
    }
    expect((await fetchFrom(shop, PATHS.manifest)).headers.get('cache-control')).toBe('public, max-age=60')
  })

  test('nothing of Host or X-Forwarded headers is ever published (HC-18)', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.example',
    }
    for (const path of [
      ...Object.values(PATHS),
      '/.well-known/api-catalog',
      '/llms.txt',
      '/ai/v1.0/openapi.json',
    ]) {
      const fromProxy = await server.handleRequest(new Request(`http://evil.example:99${path}`, { headers }))
      const bytes = await fromProxy.text()
      expect(bytes).not.toContain('evil.example')
      expect(JSON.stringify([...fromProxy.headers])).not.toContain('evil.example')
      expect(await (await fetchFrom(server, path)).text()).toBe(bytes)
    }
  })
})

describe('errors', () => {
  test.each<[string, number, string]>([
    ['/ai/v1.0/entities/product/none.json', 404, 'not_found'],
    ['/ai/v1.0/entities/none/none.json', 404, 'unsupported_type'],
    ['/ai/v1.0/entities/constructor/none.json', 404, 'unsupported_type'],
    ['/ai/v1.0/sitemaps/none.json', 404, 'unsupported_type'],
    ['/ai/v1.0/sitemaps/__proto__.json', 404, 'unsupported_type'],
    ['/ai/1.0/sitemap-index.json', 404, 'not_found'],
    ['/ai/1.0/sitemaps/product.json', 404, 'not_found'],
    ['/ai/v1.0/sitemaps/product.json/', 404, 'not_found'],
    ['/', 404, 'not_found'],
    ['/ai/v1.0/sitemaps/.json', 404, 'not_found'],
    ['/ai/v1.0/entities/product/UPPER.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/a%20b.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/a.b.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/a%2Fb.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/a%5Cb.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/%2e%2e.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/a%252Fb.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/%00.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/%zz.json', 400, 'invalid_request'],
    ['/ai/v1.0/entities/product/%c3%28.json', 400, 'invalid_request'],
    ['/ai/v1.0/sitemaps/%.json', 400, 'invalid_request'],
    [`/ai/v1.0/entities/product/${'a'.repeat(600)}.json`, 400, 'invalid_request'],
  ])('%s is %i %s and asks the application nothing', async (path, status, code) => {
    const asked: string[] = []
    const shop = declareShop([
      productResource([], {
        list: () => ({ items: [], nextCursor: null }),
        get: ({ id }) => {
          asked.push(id)
          return null
        },
      }),
    ])
    for (const response of [
      await shop.handleRequest(new Request(ORIGIN + path)),
      await shop.respond(rawRequest(path)),
    ]) {
      expect(response.status).toBe(status)
    }
    const envelope = await jsonFrom<{ error: { code: string } }>(shop, path)
    expect(envelope.error.code).toBe(code)
    expect(validateDocument({ version: '1.0', kind: 'error', data: envelope }).valid).toBe(true)
    expect(asked).toEqual(path.endsWith('/none.json') && code === 'not_found' ? ['none', 'none', 'none'] : [])
  })

  test('an escaped name is decoded once', async () => {
    const asked: string[] = []
    const shop = declareShop([
      productResource([], {
        get: ({ id }) => {
          asked.push(id)
          return null
        },
      }),
    ])
    await fetchFrom(shop, '/ai/v1.0/entities/%70roduct/%61b.json')
    expect(asked).toEqual(['ab'])
  })

  test('every error is for nobody to keep, and each request has its own id', async () => {
    const [one, other] = [await fetchFrom(server, '/nowhere'), await fetchFrom(server, '/nowhere')]
    expect(one.headers.get('cache-control')).toBe('no-store')
    expect(one.headers.get('access-control-allow-origin')).toBe('*')
    expect(one.headers.get('content-type')).toBe('application/json')
    const ids = await Promise.all(
      [one, other].map(
        async (response) => ((await response.json()) as { error: { request_id: string } }).error.request_id,
      ),
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('HEAD of an error has its headers alone', async () => {
    const response = await fetchFrom(server, '/nowhere', { method: 'HEAD' })
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('')
  })

  test.each([
    [rateLimited('Slow down.', { retryAfterSeconds: 7 }), 429, 'retry-after', '7'],
    [unauthorized(), 401, 'www-authenticate', 'Bearer'],
    [
      unauthorized('No.', { wwwAuthenticate: 'Basic realm="shop"' }),
      401,
      'www-authenticate',
      'Basic realm="shop"',
    ],
    [upstreamUnavailable('Later.', { retryAfterSeconds: 0 }), 502, 'retry-after', '0'],
    [forbidden(), 403, 'retry-after', null],
  ])('%s is told with its header', async (error, status, header, value) => {
    const throwing: Partial<Resource<Product>> = {
      get: () => {
        throw error
      },
    }
    const response = await fetchFrom(declareShop([productResource([], throwing)]), PATHS.entity)
    expect(response.status).toBe(status)
    expect(response.headers.get(header)).toBe(value)
    expect(await response.json()).toMatchObject({ error: { code: error.code, message: error.message } })
  })
})

describe('targets as they come over the wire', () => {
  test.each<[string, number]>([
    [`http://evil.example${PATHS.manifest}`, 200],
    [`${PATHS.manifest}?`, 200],
    [`${PATHS.manifest}?a=b&cursor=x`, 200],
    [`${PATHS.manifest}#fragment`, 200],
    [`/ai/../.well-known/ai-manifest.json`, 404],
    [`//evil.example${PATHS.manifest}`, 404],
    ['*', 404],
    ['', 404],
    ['http://evil.example', 404],
  ])('%s is %i', async (url, status) => {
    expect((await server.respond(rawRequest(url))).status).toBe(status)
  })
})

test('the request reaches the application as it is', async () => {
  const seen: (Request | undefined)[] = []
  const shop = declareShop([
    productResource(makeProducts(1), {
      list: ({ request }) => {
        seen.push(request)
        return { items: [], nextCursor: null }
      },
      get: ({ request }) => {
        seen.push(request)
        return null
      },
    }),
  ])
  const request = new Request(ORIGIN + PATHS.sitemap, { headers: { authorization: 'Bearer t' } })
  await shop.handleRequest(request)
  await shop.sitemap('product', null, request)
  await shop.sitemap('product')
  expect(seen).toEqual([request, request, undefined])
})
