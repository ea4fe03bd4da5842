import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAadpConfigError } from '../errors/config-error.js'
import { fillRouteTemplate, matchRouteTemplate, parseRouteTemplate } from './route-template.js'
import { createRouteTable, type RoutesConfig } from './route-table.js'

const ORIGIN = 'https://shop.acme.test'

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return isAadpConfigError(error) ? `${error.code} ${error.option}` : String(error)
  }
}

/** The path as a Fetch request would carry it. */
function pathOf(url: string): string {
  return new URL(new Request(url).url).pathname
}

describe('templates', () => {
  test.each([
    '',
    'ai/index.json',
    '//ai',
    '/ai//index.json',
    '/ai/',
    '/',
    'https://shop.acme.test/ai',
    '/ai?x',
    '/ai#x',
    '/a\\b',
    '/a\u0000b',
    '/a\nb',
    '/a\u007fb',
    '/./ai',
    '/../ai',
    '/%2e/ai',
    '/%2E./ai',
    '/ai/..',
    '/100%',
    '/%zz',
    '/%ff',
    '/\ud800',
    '/{type}',
    '/{id}',
    42,
    null,
  ])('%s is no sitemap index route', (sitemapIndex) => {
    const routes = { sitemapIndex } as unknown as RoutesConfig
    expect(codeOf(() => createRouteTable(ORIGIN, routes))).toBe('invalid_route routes.sitemapIndex')
  })

  test.each([
    '/s',
    '/{type}/{type}',
    '/{type}{type}',
    '/{id}',
    '/{type}/{id}',
    '/{ty}',
    '/{type',
    '/type}',
    '/{{type}}',
    '/{}/x',
    '/{type}-{id}',
  ])('%s is no sitemap route', (sitemap) => {
    expect(codeOf(() => createRouteTable(ORIGIN, { sitemap }))).toBe('invalid_route routes.sitemap')
  })

  test.each(['/e/{id}', '/e/{type}', '/e/{type}/{id}/{id}', '/e/{id}/{id}', '/e/{missing}', '/e/{type}{id}'])(
    '%s is no entity route (HC-20)',
    (entity) => {
      expect(codeOf(() => createRouteTable(ORIGIN, { entity }))).toBe('invalid_route routes.entity')
    },
  )

  test('the three required routes cannot be switched off', () => {
    expect(codeOf(() => createRouteTable(ORIGIN, { sitemap: false } as unknown as RoutesConfig))).toBe(
      'invalid_route routes.sitemap',
    )
  })

  test.each<[RoutesConfig, string]>([
    [{ sitemapIndex: '/.well-known/ai-manifest.json' }, 'routes.sitemapIndex'],
    [{ sitemapIndex: '/a', openapi: '/a' }, 'routes.openapi'],
    [{ sitemapIndex: '/a/b', sitemap: '/a/{type}' }, 'routes.sitemap'],
    [{ sitemap: '/a/{type}/list', entity: '/a/{type}/{id}' }, 'routes.entity'],
    [{ sitemap: '/a/x-{type}', sitemapIndex: '/a/x-y' }, 'routes.sitemap'],
    [{ sitemap: '/{type}.json/x', entity: '/{type}/{id}' }, 'routes.entity'],
    [{ sitemap: '/.well-known/{type}' }, 'routes.sitemap'],
    [{ sitemapIndex: '/caf\u00e9', openapi: '/caf%c3%a9' }, 'routes.openapi'],
  ])('%j collides', (routes, option) => {
    expect(codeOf(() => createRouteTable(ORIGIN, routes))).toBe(`route_collision ${option}`)
  })

  test('neighbours that differ do not collide', () => {
    const routes = { sitemapIndex: '/a/index.json', sitemap: '/a/{type}.xml', entity: '/a/{type}/{id}' }
    expect(codeOf(() => createRouteTable(ORIGIN, routes))).toBeUndefined()
  })
})

describe('a route', () => {
  test.each([
    '/sp ace/{type}/x-{id}.json',
    '/caf\u00e9/{type}/{id}',
    '/caf%C3%A9/{type}/{id}',
    '/caf%c3%a9/{type}/{id}',
    '/\u{1fad6}/{type}/{id}.\u00fc',
    '/a%2Fb/{type}/{id}',
    '/^`|[]"<>/{type}/{id}',
    "/!$&'()*+,;=:@~/{type}/{id}",
    '/a/b/c/d/{type}.{id}'.replace('.', '/'),
  ])('%s is matched where it is published', (entity) => {
    const table = createRouteTable(ORIGIN, { entity })
    const values = { type: 'product', id: 'a-1_b' }
    expect(table.match(pathOf(table.url('entity', values)))).toEqual({ name: 'entity', values })
  })

  test('of any literals and names is matched where it is published', () => {
    const literal = fc
      .string({ unit: 'grapheme', maxLength: 8 })
      .filter((text) => !/[{}/?#\\%]|^\.{1,2}$/.test(text) && !/\p{Cc}/u.test(text) && text.isWellFormed())
    const token = fc.stringMatching(/^[a-z][a-z0-9_-]{0,20}$/)
    fc.assert(
      fc.property(literal, literal, literal, token, token, (folder, before, after, type, id) => {
        const entity = `/x${folder}/${before}{type}${after}/y${before}{id}${after}`
        const table = createRouteTable(ORIGIN, { entity })
        expect(table.match(pathOf(table.url('entity', { type, id })))).toEqual({
          name: 'entity',
          values: { type, id },
        })
      }),
    )
  })

  test('takes hostile values as one segment and fills in one go (HC-19, HC-20)', () => {
    const template = parseRouteTemplate('/e/{id}', 'test')
    expect(fillRouteTemplate(template, { id: 'a b/é{x}' })).toBe('/e/a%20b%2F%C3%A9%7Bx%7D')
    expect(fillRouteTemplate(template, { id: 'a:../../admin' })).toBe('/e/a%3A..%2F..%2Fadmin')
    expect(fillRouteTemplate(template, { id: '{type}' })).toBe('/e/%7Btype%7D')
    expect(fillRouteTemplate(template, { id: '%2e' })).toBe('/e/%252e')
    for (const id of ['.', '..', '']) expect(() => fillRouteTemplate(template, { id })).toThrow(RangeError)
    const any = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text))
    fc.assert(
      fc.property(any, (id) => {
        const path = fillRouteTemplate(template, { id })
        const matched = matchRouteTemplate(template, pathOf(ORIGIN + path))
        expect(decodeURIComponent(matched?.id ?? '')).toBe(id)
      }),
    )
  })

  test('gives values decoded once, and 400 for what cannot be decoded', () => {
    const table = createRouteTable(ORIGIN)
    expect(table.match('/ai/v1.0/sitemaps/a%2Fb%5Cc.json')?.values).toEqual({ type: 'a/b\\c' })
    expect(table.match('/ai/v1.0/sitemaps/a%252Fb.json')?.values).toEqual({ type: 'a%2Fb' })
    for (const path of [
      '/ai/v1.0/sitemaps/%.json',
      '/ai/v1.0/entities/a/%ff.json',
      '/ai/v1.0/entities/%E0%A4%A/b.json',
    ]) {
      expect(() => table.match(path)).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error)
      expect(table.knows(path)).toBe(true)
    }
  })

  test('says where it is', () => {
    const table = createRouteTable(ORIGIN, { openapi: false })
    expect(table.templates.get('entity')).toBe('/ai/v1.0/entities/{type}/{id}.json')
    expect(table.has('openapi')).toBe(false)
    expect(() => table.url('openapi')).toThrow(RangeError)
  })
})
