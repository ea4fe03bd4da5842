import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator as JsonSchemaValidator } from '@cfworker/json-schema'
import { describeWithCorpora } from '@internal/vectors'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openApiFace, type OpenApiFaceOptions } from '../../src/openapi.js'
import { describeSite, type SiteFacts } from '../../src/openapi/describe-site.js'
import type { ConciergeConfig } from '../../src/server.js'
import { type Bookshop, CAPABILITIES, openBookshop, type Seen } from '../bookshop.js'

/** What a site does for whatever reads OpenAPI, by the number of the requirement in the draft. */

const PLENTY = { unauthenticated: { read: '100000/minute', ask: '100000/minute' } } as const
const READER = { authorization: 'Bearer reader-token' }

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly security?: unknown
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, { readonly links?: unknown }>>
  readonly callbacks?: unknown
}
interface Description {
  readonly openapi: string
  readonly info: unknown
  readonly servers: readonly unknown[]
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const opened: Bookshop[] = []
let shop: Bookshop
let described: Description

async function openShop(
  overrides: Partial<ConciergeConfig> = {},
  options: OpenApiFaceOptions = {},
): Promise<Bookshop> {
  const other = await openBookshop({ limits: PLENTY, faces: [openApiFace(options)], ...overrides })
  opened.push(other)
  return other
}

beforeAll(async () => {
  shop = await openBookshop({ limits: PLENTY, faces: [openApiFace()] })
  described = (await read()).json as Description
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((other) => other.close()))
})
afterAll(() => shop.close())

/** The document is no message of the protocol, which `visit` would hold it to be. */
async function read(headers: Readonly<Record<string, string>> = {}, site: Bookshop = shop): Promise<Seen> {
  const response = await site.concierge.handleRequest(
    new Request('https://books.test/openapi.json', { headers }),
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    json: text === '' ? undefined : JSON.parse(text),
  }
}

function ask(
  name: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  site: Bookshop = shop,
): Promise<Seen> {
  return site.visit({ method: 'POST', path: `/capabilities/${name}`, body, headers })
}

/** A manifest with everything MODE3 has. */
function deskFacts(capability: object = {}): SiteFacts {
  return {
    publicUrl: 'https://books.test',
    hasContent: true,
    needsCredential: () => true,
    manifest: {
      ahp: '0.1',
      modes: ['MODE1', 'MODE2', 'MODE3'],
      endpoints: { converse: '/agent/converse' },
      authentication: 'bearer',
      content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
      async: { supported: true, max_eta_seconds: 60 },
      capabilities: [
        {
          name: 'order_book',
          description: 'Orders a book.',
          mode: 'MODE3',
          action_type: 'async',
          input_schema: {
            type: 'object',
            properties: { isbn: { type: 'string' }, note: { type: ['string', 'null'] } },
            required: ['isbn'],
          },
          ...capability,
        },
      ],
    },
  }
}

describe('the OpenAPI face', () => {
  it('R022 R024: is declared among the integrations, and its description is public', async () => {
    expect(shop.concierge.manifest.integrations?.['openapi']).toEqual({
      url: '/openapi.json',
      version: '3.1.0',
    })
    const { status, headers } = await read()
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'x-ratelimit-limit': '100000' })
    expect(headers['link']).toContain('ahp-manifest')
    expect((await read({ 'if-none-match': headers.etag ?? '' })).status).toBe(304)
  })

  it('R141: has the site in info and servers, and the security schemes', () => {
    expect(described).toMatchObject({
      openapi: '3.1.0',
      info: {
        title: 'The Book Shelf',
        description: 'Reviews of novels, written by readers.',
        version: '0.1',
      },
      servers: [{ url: 'https://books.test' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-AHP-Key' },
        },
      },
    })
    expect(described.components['schemas']).toHaveProperty('AHPResponse')
  })

  it('R025 R142 R144 R145: has one operation for each capability, a GET for MODE1', () => {
    const operations = Object.entries(CAPABILITIES).map(([name, { description, mode }]) => [
      `/capabilities/${name}`,
      {
        [mode === 'MODE1' ? 'get' : 'post']: expect.objectContaining({
          operationId: name,
          summary: description,
        }) as unknown,
      },
    ])
    expect(described.paths).toEqual(Object.fromEntries(operations))
    const { post } = described.paths['/capabilities/search'] ?? {}
    expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['200', '400', '401', '429']))
    expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({ required: ['query'] })
  })

  it('OA-04: no two operations are called alike', () => {
    const { paths } = describeSite(deskFacts()) as unknown as Description
    const ids = Object.values({ ...described.paths, ...paths }).map(
      ({ get, post }) => (get ?? post)?.operationId,
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('OA-01: what may be null says so as 3.1 does', () => {
    const { schema } =
      described.paths['/capabilities/search']?.post?.requestBody?.content['application/json'] ?? {}
    expect(schema).toMatchObject({ properties: { session_id: { type: ['string', 'null'] } } })
    expect(JSON.stringify(described)).not.toContain('nullable')
  })

  it('R146: an operation that needs a credential names the schemes', () => {
    const secured = Object.entries(described.paths).filter(([, { post }]) => post?.security !== undefined)
    expect(secured.map(([path]) => path)).toEqual(['/capabilities/orders', '/capabilities/stock'])
    expect(secured[0]?.[1].post?.security).toEqual([{ bearer: [] }, { apiKey: [] }])
  })

  it('R147: an asynchronous operation describes the polling', () => {
    const { paths } = describeSite(deskFacts()) as unknown as Description
    const { post } = paths['/capabilities/order_book'] ?? {}
    expect(post?.description).toContain('poll')
    expect(post?.responses['200']?.links).toEqual({
      poll: { operationId: 'pollAnswer', parameters: { session_id: '$response.body#/session_id' } },
    })
    expect(paths['/agent/converse/status/{session_id}']?.get?.operationId).toBe('pollAnswer')
    expect(post?.callbacks).toHaveProperty(['answer', '{$request.body#/context/callback_url}'])
    expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({
      properties: { isbn: { type: 'string' }, query: { type: 'string' } },
      required: ['query', 'isbn'],
    })
  })

  it('describes nothing that is not there', async () => {
    const open = {
      search: { description: 'Finds.', mode: 'MODE2' as const, answer: () => ({ answer: 'Found.' }) },
    }
    const site = await openShop({ capabilities: open, content: { url: 'https://docs.example/llms.txt' } })
    const { components, paths } = (await read({}, site)).json as Description
    expect(components).not.toHaveProperty('securitySchemes')
    expect(Object.keys(paths)).toEqual(['/capabilities/search'])
  })

  it('never takes its own address from a request (H14)', async () => {
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'javascript',
    }
    const { text } = await read(forged)
    expect(text).not.toContain('evil.example')
  })
})

describe('/capabilities/{name}', () => {
  it('R026 R143: answers what converse answers', async () => {
    const here = await ask('search', { query: 'Emma' })
    const there = await shop.ask({ query: 'Emma' })
    const { session_id: session, ...same } = there.json as Record<string, unknown>
    expect(here.status).toBe(200)
    expect(here.json).toEqual({
      ...same,
      session_id: expect.not.stringMatching(String(session)) as unknown,
      meta: expect.anything() as unknown,
    })
    expect(here.headers['x-ratelimit-limit']).toBe('100000')
  })

  it('goes on with a session, and takes a reply and a context', async () => {
    const asked = (await ask('search', { query: 'dune', session_id: null })).json as { session_id: string }
    const told = await ask('search', { query: 'dune', session_id: asked.session_id, clarification: 'film' })
    expect(told.json).toMatchObject({ response: { answer: 'There is a review of dune (film).' } })
    const typed = await ask('reviews', { query: 'x', context: { accept_types: ['application/feed'] } })
    expect(typed.json).toMatchObject({ response: { content_type: 'application/feed' } })
  })

  it('R027: asks for the same credential', async () => {
    const stranger = await ask('orders', { query: 'Emma' })
    expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect((await ask('orders', { query: 'Emma' }, READER)).status).toBe(200)
    expect((await ask('stock', { query: 'Emma' }, READER)).status).toBe(403)
  })

  it('R145: gives the content for MODE1', async () => {
    const path = '/capabilities/contact'
    const found = await shop.concierge.handleRequest(
      new Request(`https://books.test${path}`, { headers: { accept: 'application/agent+json' } }),
    )
    expect(found.headers.get('content-type')).toMatch(/^text\/markdown/)
    expect(await found.text()).toContain('Reviews of novels')
    const { status, headers } = await ask('contact', { query: 'x' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await shop.visit({ method: 'HEAD', path })).text).toBe('')
    expect((await shop.visit({ path: '/capabilities/search' })).status).toBe(405)
  })

  it.each([
    ['nothing', { query: 'x' }, 400, 'unknown_capability'],
    ['constructor', { query: 'x' }, 400, 'unknown_capability'],
    ['__proto__', { query: 'x' }, 400, 'unknown_capability'],
    ['search/more', { query: 'x' }, 400, 'unknown_capability'],
    ['search', {}, 400, 'missing_field'],
    ['search', [], 400, 'invalid_request'],
    ['search', '{', 400, 'invalid_request'],
    ['search', { query: ['x'] }, 400, 'invalid_request'],
    ['search', { query: 'x'.repeat(9000) }, 413, 'request_too_large'],
  ])('%s with %j is refused', async (name, body, status, code) => {
    const seen = await ask(name, body)
    expect([seen.status, seen.json]).toMatchObject([status, { status: 'error', code }])
  })

  it('the path names the capability, whatever the body says', async () => {
    const { status, json } = await ask('search', { query: 'Emma', capability: 'orders' })
    expect([status, json]).toMatchObject([200, { meta: { capability_used: 'search' } }])
  })

  it('counts each request once', async () => {
    const site = await openShop({ limits: { unauthenticated: { read: '2/minute', ask: '2/minute' } } })
    const left = ({ headers }: Seen): unknown => headers['x-ratelimit-remaining']
    expect(left(await ask('search', { query: 'Emma' }, {}, site))).toBe('1')
    expect(left(await ask('search', { query: 'Emma' }, {}, site))).toBe('0')
    expect((await ask('search', { query: 'Emma' }, {}, site)).status).toBe(429)
    expect(
      left(await site.visit({ path: '/capabilities/contact', headers: { accept: 'text/markdown' } })),
    ).toBe('1')
    expect(left(await site.visit({ method: 'PUT', path: '/openapi.json' }))).toBe('0')
    expect((await site.visit({ path: '/openapi.json' })).status).toBe(429)
  })
})

describe('the description is valid', () => {
  const documents = (): readonly (readonly [string, object])[] => [
    ['of a shop', described],
    ['of a desk', describeSite(deskFacts())],
    ['of a desk with references', describeSite(deskFacts({ input_schema: WITH_REFERENCES }))],
    ['of input without a type', describeSite(deskFacts({ input_schema: {} }))],
  ]
  const WITH_REFERENCES = {
    type: 'object',
    properties: { items: { type: 'array', items: { $ref: '#/$defs/item' } }, query: { type: 'integer' } },
    $defs: { item: { type: 'object', properties: { isbn: { type: 'string' } } } },
  }

  it('for an independent validator', async () => {
    for (const [name, document] of documents()) {
      const { valid, errors } = await new Validator().validate(
        structuredClone(document) as Record<string, unknown>,
      )
      expect(errors ?? [], name).toEqual([])
      expect(valid, name).toBe(true)
    }
  })

  it('and so are the schemas in it, references included', () => {
    for (const [name, document] of documents()) {
      const { paths, components } = document as Description
      const ajv = new Ajv2020({ strict: false })
      addFormats.default(ajv)
      ajv.addSchema({ $id: 'https://books.test/openapi.json', components })
      for (const [path, { post }] of Object.entries(paths)) {
        const schema = post?.requestBody?.content['application/json']?.schema
        if (schema === undefined) continue
        const text = JSON.stringify(schema).replaceAll(
          '"#/components',
          '"https://books.test/openapi.json#/components',
        )
        const validate = ajv.compile(JSON.parse(text) as object)
        expect(validate({ query: 5, items: [5] }), `${name} ${path}`).toBe(false)
      }
      const answers = ajv.compile({
        $ref: 'https://books.test/openapi.json#/components/schemas/AHPErrorResponse',
      })
      expect(answers({ status: 'error', code: 'forbidden', message: 'No.' })).toBe(true)
      expect(answers({ status: 'error' })).toBe(false)
    }
  })

  describeWithCorpora('under the meta-schema of the OpenAPI Initiative', 'openapi-3.1', (directory) => {
    const json = join(directory, 'json')
    const parse = (...path: readonly string[]): Record<string, unknown> =>
      JSON.parse(readFileSync(join(json, ...path), 'utf8')) as Record<string, unknown>
    const judge = new JsonSchemaValidator(parse('schema-base.json'), '2020-12')
    for (const name of ['dialect.json', 'meta.json', 'schema.json']) judge.addSchema(parse(name))
    const isValid = (document: unknown): boolean => judge.validate(document).valid

    it('each document', () => {
      for (const [name, document] of documents()) {
        expect(isValid(document), name).toBe(true)
        expect(isValid({ ...document, info: {} }), name).toBe(false)
      }
    })

    /** Schemas inside a description are compiled above: this judge does not look into them. */
    it.each(['pass', 'fail'])('and it judges the examples that should %s', (kind) => {
      const examples = readdirSync(join(json, kind)).filter((name) => name !== 'invalid_schema_types.json')
      expect(examples.length).toBeGreaterThan(9)
      for (const name of examples) expect(isValid(parse(kind, name)), name).toBe(kind === 'pass')
    })
  })
})

describe('options', () => {
  it.each([
    [{ path: 'openapi' }, 'path'],
    [{ paths: '/x' }, 'openApiFace.paths'],
  ])('%o is refused', (options, option) => {
    expect(() => openApiFace(options as OpenApiFaceOptions)).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }) as Error,
    )
  })
})
