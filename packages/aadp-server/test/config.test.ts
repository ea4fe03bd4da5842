import { describe, expect, test } from 'vitest'
import { AadpConfigError, defineAADP, isAadpConfigError, type ResourceConfig } from '../src/index.js'
import { BASE, declareShop, ORIGIN, type Product, productResource } from './shop.js'

function errorOf(run: () => unknown): { code: string; option: string; message: string } | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (!isAadpConfigError(error)) throw error
    return { code: error.code, option: error.option, message: error.message }
  }
}

/** A declaration as JavaScript might write it. */
function declare(overrides: Readonly<Record<string, unknown>>): unknown {
  return defineAADP({ ...BASE, resources: [], ...overrides })
}

function resource(overrides: Readonly<Record<string, unknown>>): unknown {
  return productResource([], overrides)
}

describe('baseUrl', () => {
  test.each(['https://shop.acme.test', 'https://shop.acme.test/', 'HTTPS://SHOP.acme.test:443'])(
    '%s is taken as an origin',
    (baseUrl) => {
      expect(declareShop([], { baseUrl }).origin).toBe(ORIGIN)
    },
  )

  test.each([
    '',
    'shop.acme.test',
    '/shop',
    'ftp://shop.acme.test',
    'javascript:alert(1)',
    'https://user@shop.acme.test',
    'https://user:secret@shop.acme.test',
    'https://shop.acme.test/shop',
    'https://shop.acme.test/?',
    'https://shop.acme.test/?a=b',
    'https://shop.acme.test/#',
    'https://shop.acme.test/#a',
    42,
    undefined,
    new URL('https://shop.acme.test'),
  ])('%s is refused', (baseUrl) => {
    const error = errorOf(() => declare({ baseUrl }))
    expect(error).toMatchObject({ code: 'invalid_base_url', option: 'baseUrl' })
    expect(error?.message).not.toContain('secret')
  })
})

describe('options', () => {
  test.each<[string, unknown]>([
    ...([NaN, -1, 1.5, Infinity, '300', null, 31_536_001, 1e21, Number.MAX_SAFE_INTEGER + 1] as const).map(
      (value): [string, unknown] => ['cacheMaxAgeSeconds', value],
    ),
    ...([NaN, 0, -1, 1.5, Infinity, '50', 1e21, Number.MAX_SAFE_INTEGER + 1] as const).map(
      (value): [string, unknown] => ['pageSize', value],
    ),
    ['cacheMaxBytes', -1],
    ['cacheMaxBytes', NaN],
    ['documentCacheMs', 0.5],
    ['upstreamTimeoutMs', 0],
    ['upstreamTimeoutMs', 2 ** 31],
    ['upstreamTimeoutStatus', 500],
    ['unpublishableRecords', 'drop'],
    ['failingRecords', true],
    ['lastModified', 'yesterday'],
    ['lastModified', '2026-02-30T00:00:00Z'],
    ['lastModified', new Date(NaN)],
    ['cursorSecret', 'short'],
    ['cursorSecret', ['x'.repeat(32), 'short']],
    ['cursorSecret', 42],
    ['onError', 'log'],
    ['now', 0],
    ['requestId', 'id'],
    ['resources', {}],
  ])('%s: %s is refused', (option, value) => {
    expect(errorOf(() => declare({ [option]: value }))).toMatchObject({ code: 'invalid_option', option })
  })

  test.each([
    ['cacheMaxAgeSeconds', 0],
    ['cacheMaxAgeSeconds', 31_536_000],
    ['pageSize', 1],
    ['pageSize', Number.MAX_SAFE_INTEGER],
    ['cacheMaxBytes', 0],
    ['links', undefined],
  ])('%s: %s is taken', (option, value) => {
    expect(errorOf(() => declare({ [option]: value }))).toBeUndefined()
  })

  test('a page size over 100 is lowered to it', async () => {
    const limits: number[] = []
    const list: Partial<ResourceConfig<Product>> = {
      list: ({ limit }) => {
        limits.push(limit)
        return { items: [], nextCursor: null }
      },
    }
    await declareShop([productResource([], list)], { pageSize: 1000 }).sitemap('product')
    await declareShop([productResource([], list)]).sitemap('product')
    expect(limits).toEqual([100, 50])
  })

  test('a misspelt option is not ignored', () => {
    expect(errorOf(() => declare({ useGuidance: {} }))).toMatchObject({
      code: 'unknown_option',
      option: 'useGuidance',
    })
    expect(errorOf(() => declare({ routes: { index: '/i' } }))).toMatchObject({
      code: 'unknown_option',
      option: 'routes.index',
    })
    expect(errorOf(() => resource({ mediaType: 'text' }))).toMatchObject({
      code: 'unknown_option',
      option: 'resource.mediaType',
    })
    expect(errorOf(() => declare({ 'x-shop': 1 }))).toMatchObject({
      code: 'unknown_option',
      option: 'x-shop',
    })
  })

  test('another wire version is refused', () => {
    for (const version of ['0.1', '2.0', 1]) {
      expect(errorOf(() => declare({ version }))).toMatchObject({
        code: 'unsupported_version',
        option: 'version',
      })
    }
    expect(errorOf(() => declare({ version: '1.0' }))).toBeUndefined()
  })
})

describe('resources', () => {
  test.each<[string, unknown]>([
    ['type', 'Product'],
    ['type', 'a:b'],
    ['type', ''],
    ['type', undefined],
    ['type', '__proto__'],
    ['security', 42],
    ['mediaTypes', 'text'],
    ['locales', []],
    ['locales', 'en'],
    ['count', -1],
    ['count', NaN],
    ['count', '3'],
    ['list', undefined],
    ['get', {}],
    ['serialize', null],
    ['identify', 'id'],
    ['markdown', 1],
  ])('%s: %s is refused', (option, value) => {
    expect(errorOf(() => resource({ [option]: value }))).toMatchObject({
      code: 'invalid_option',
      option: `resource.${option}`,
    })
  })

  test('a locale is named by its place', () => {
    expect(errorOf(() => resource({ locales: ['en', 'e\r\nx'] }))).toMatchObject({
      option: 'resource.locales[1]',
    })
    expect(errorOf(() => resource({ locales: ['en', 'EN'] }))).toMatchObject({ option: 'resource.locales' })
  })

  test('a type may be declared once, and errors of a declaration name the place', () => {
    const twice = [productResource([]), productResource([])]
    expect(errorOf(() => declare({ resources: twice }))).toMatchObject({
      code: 'duplicate_resource_type',
      option: 'resources[1].type',
    })
    expect(errorOf(() => declare({ resources: [{ type: 'A' }] }))).toMatchObject({
      option: 'resources[0].type',
    })
    expect(errorOf(() => declare({ resources: [null] }))).toMatchObject({ option: 'resources[0]' })
  })
})

describe('the manifest', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  const shared = { a: 1 }

  test.each<[string, unknown]>([
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a typed array', new Uint8Array(1)],
    [
      'a class instance',
      new (class Thing {
        readonly size = 1
      })(),
    ],
    ['a BigInt', 1n],
    ['NaN', NaN],
    ['Infinity', Infinity],
    ['undefined inside', { a: undefined }],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a cycle', cycle],
    ['a hole', [1, , 3]], // eslint-disable-line no-sparse-arrays -- the hole is the case
    ['a lone surrogate', '\ud800'],
  ])('refuses %s and names the place', (_name, value) => {
    expect(errorOf(() => declare({ x_thing: { deep: value } }))).toMatchObject({
      code: 'invalid_manifest',
      option: expect.stringMatching(/^x_thing\.deep/) as string,
    })
  })

  test('takes a shared object and one without a prototype', () => {
    expect(
      errorOf(() => declare({ x_a: shared, x_b: shared, x_c: Object.create(null) as object })),
    ).toBeUndefined()
  })

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['no name', { application: { ...BASE.application, name: '' } }, 'application.name'],
    ['a misspelt member', { application: { ...BASE.application, titel: 'x' } }, 'application.titel'],
    ['no application', { application: undefined }, 'application'],
    ['a bad URL', { policies: { ...BASE.policies, privacy: 'not a url' } }, 'policies.privacy'],
    ['a bad language', { usageGuidance: { default_language: 'x' } }, 'usageGuidance.default_language'],
    [
      'an unknown media type',
      { resources: [productResource([], { mediaTypes: ['smell' as 'text'] })] },
      'resources[0].media_types[0]',
    ],
    [
      'an unknown scheme',
      { resources: [productResource([], { security: 'constructor' })] },
      'resources[0].security',
    ],
    ['a secret', { x_key: `AKIAABCDEFGHIJKLMNOP` }, 'x_key'],
  ])('refuses %s and names it as the declaration does', (_name, overrides, option) => {
    expect(errorOf(() => declare(overrides))).toMatchObject({ code: 'invalid_manifest', option })
  })

  test('refuses a manifest that no reader takes', () => {
    const application = { ...BASE.application, description: 'x'.repeat(256 * 1024) }
    expect(errorOf(() => declare({ application }))).toMatchObject({ code: 'invalid_manifest' })
  })

  test('refuses a header name that would end the header', () => {
    for (const name of ['X-Key\r\nSet-Cookie: a', 'X Key', 'X-Key:', '']) {
      const securitySchemes = { key: { type: 'api_key', in: 'header', name } }
      expect(errorOf(() => declare({ securitySchemes }))).toMatchObject({
        option: 'securitySchemes.key.name',
      })
    }
  })
})

test('the guard knows an error of another copy of this package', () => {
  const foreign = Object.assign(new Error('x'), { [Symbol.for('@doorplate/aadp-server/config-error')]: true })
  expect(isAadpConfigError(foreign)).toBe(true)
  expect(isAadpConfigError(new Error('x'))).toBe(false)
  expect(new AadpConfigError('invalid_option', 'a', 'b')).toMatchObject({
    name: 'AadpConfigError',
    message: 'a: b',
  })
})

test.each([undefined, null, 42, 'x', () => ({})])(
  'a declaration that is no object is refused: %s',
  (config) => {
    expect(errorOf(() => defineAADP(config as unknown as Parameters<typeof defineAADP>[0]))).toMatchObject({
      code: 'invalid_option',
      option: 'config',
    })
  },
)

test.each([null, 42, 'x', [], () => ({})])('routes that are no object are refused: %s', (routes) => {
  expect(errorOf(() => declare({ routes }))).toMatchObject({ code: 'invalid_option', option: 'routes' })
})

test.each([null, 'x', 42, { key: null }, { key: 'x' }, { key: {} }, { key: [] }, [null]])(
  'security schemes that are none are named: %j',
  (securitySchemes) => {
    expect(errorOf(() => declare({ securitySchemes }))?.option).toMatch(/^securitySchemes/)
  },
)
