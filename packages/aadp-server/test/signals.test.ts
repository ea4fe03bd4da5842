import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithCorpora } from '@internal/vectors'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { declareShop, fetchFrom, ORIGIN, productResource } from './shop.js'

const server = declareShop(
  [productResource([], { security: 'key', locales: ['en', 'vi'] }), productResource([], { type: 'post' })],
  {
    application: {
      name: 'A [shop]\n# not a heading',
      description: 'Things *for* the kitchen.',
      publisher: { name: 'Acme', url: 'https://acme.test/' },
    },
    securitySchemes: {
      key: { type: 'api_key', in: 'header', name: 'X-Api-Key' },
      open: { type: 'none' },
      login: {
        type: 'oauth2',
        authorization_url: 'https://acme.test/login',
        token_url: 'https://acme.test/token',
        scopes: ['read'],
      },
      simple: { type: 'oauth2', authorization_url: 'https://acme.test/login' },
    },
    interfaces: [
      { id: 'api', type: 'rest', endpoint: `${ORIGIN}/api`, documentation: `${ORIGIN}/api/docs` },
      { id: 'guide', type: 'docs', documentation: `${ORIGIN}/guide` },
    ],
  },
)

test('the Link field names every description, each where it is served', async () => {
  const links = [...server.linkHeader().matchAll(/<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g)]
  expect(links.map(([, , relation]) => relation)).toEqual([
    'service-meta',
    'api-catalog',
    'service-desc',
    'describedby',
  ])
  for (const [, url = ''] of links) {
    expect((await server.handleRequest(new Request(url))).status).toBe(200)
  }
})

describe('the API catalogue (RFC 9727)', () => {
  test('is a linkset with its profile, and links to itself', async () => {
    const response = await fetchFrom(server, '/.well-known/api-catalog')
    expect(response.headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    )
    expect(response.headers.get('link')).toBe(`<${ORIGIN}/.well-known/api-catalog>; rel="api-catalog"`)
    expect(await response.json()).toEqual(server.apiCatalog())
    const head = await fetchFrom(server, '/.well-known/api-catalog', { method: 'HEAD' })
    expect(head.headers.get('link')).toContain('rel="api-catalog"')
  })

  test('lists the sitemap index and every interface that can be called, with what describes them', () => {
    const { linkset } = server.apiCatalog()
    expect(linkset[0]?.['item']).toEqual([
      expect.objectContaining({ href: `${ORIGIN}/ai/v1.0/sitemap-index.json` }),
      { href: `${ORIGIN}/api`, title: 'api' },
    ])
    expect(linkset.find(({ anchor }) => anchor === `${ORIGIN}/api`)).toEqual({
      anchor: `${ORIGIN}/api`,
      'service-doc': [{ href: `${ORIGIN}/api/docs` }],
    })
    for (const { anchor, ...relations } of linkset) {
      expect(() => new URL(anchor)).not.toThrow()
      for (const targets of Object.values(relations)) expect(targets).toBeInstanceOf(Array)
    }
  })
})

test('llms.txt is Markdown in which text stays text', async () => {
  const response = await fetchFrom(server, '/llms.txt')
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  const lines = (await response.text()).split('\n')
  expect(lines[0]).toBe('# A \\[shop\\] \\# not a heading')
  expect(lines[2]).toBe('> Things \\*for\\* the kitchen.')
  expect(lines).toContain(
    `- [product](${ORIGIN}/ai/v1.0/sitemaps/product.json): every entity of type product`,
  )
  expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1)
})

describe('the OpenAPI document', () => {
  const document = server.openapi()

  test('has a path for every route of every type, with what protects it', async () => {
    expect(Object.keys(document.paths)).toEqual([
      '/.well-known/ai-manifest.json',
      '/ai/v1.0/sitemap-index.json',
      '/ai/v1.0/sitemaps/product.json',
      '/ai/v1.0/entities/product/{id}.json',
      '/ai/v1.0/sitemaps/post.json',
      '/ai/v1.0/entities/post/{id}.json',
    ])
    expect(document.paths['/ai/v1.0/sitemaps/product.json']).toMatchObject({
      get: { security: [{ key: [] }] },
    })
    expect(document.paths['/ai/v1.0/sitemaps/post.json']).not.toHaveProperty('get.security')
    expect(Object.keys(document.components['securitySchemes'] as object)).toEqual(['key', 'login', 'simple'])
    expect(await (await fetchFrom(server, '/ai/v1.0/openapi.json')).json()).toEqual(document)
  })

  test('says which entities there are as Markdown too', () => {
    const markdown = declareShop([productResource([], { markdown: ({ title }) => title })]).openapi()
    const content = ['get', 'responses', '200', 'content', 'text/markdown']
    const path = '/ai/v1.0/entities/product/{id}.json'
    expect(markdown.paths[path]).toHaveProperty(content)
    expect(document.paths[path]).not.toHaveProperty(content)
  })

  test('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(
      ([, pointer = '']) => pointer,
    )
    expect(references.length).toBeGreaterThan(10)
    for (const pointer of references) expect(resolve(document, pointer), pointer).toBeDefined()
  })
})

describeWithCorpora('the OpenAPI document', 'openapi-3.1', (directory) => {
  test('is valid under the schema of OpenAPI 3.1', () => {
    const text = readFileSync(join(directory, 'json/schema.json'), 'utf8')
    // Ajv takes a dynamic reference inside $defs for the root.
    const schema = JSON.parse(text.replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"')) as object
    const ajv = new Ajv2020({ strict: false, formats: { 'media-range': true } })
    addFormats.default(ajv)
    const validate = ajv.compile(schema)
    validate(JSON.parse(JSON.stringify(server.openapi())))
    expect(validate.errors).toBeNull()
    expect(validate({ ...server.openapi(), paths: { 'no-slash': {} } })).toBe(false)
  })
})

test('each of the three can be moved or switched off', async () => {
  const moved = declareShop([], { routes: { apiCatalog: false, openapi: '/openapi.json', llmsTxt: false } })
  expect((await fetchFrom(moved, '/.well-known/api-catalog')).status).toBe(404)
  expect((await fetchFrom(moved, '/llms.txt')).status).toBe(404)
  expect((await fetchFrom(moved, '/openapi.json')).status).toBe(200)
  expect(moved.linkHeader()).toContain(`<${ORIGIN}/openapi.json>; rel="service-desc"`)
  expect(moved.linkHeader()).not.toContain('llms.txt')
  expect(moved.apiCatalog().linkset[0]?.anchor).toBe(ORIGIN)
})

function resolve(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}
