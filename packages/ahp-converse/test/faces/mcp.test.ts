import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isConverseError } from '../../src/index.js'
import { mcpFace, type McpFaceOptions } from '../../src/mcp.js'
import type { ConciergeConfig } from '../../src/server.js'
import { type Bookshop, CAPABILITIES, openBookshop, type Seen, send } from '../bookshop.js'

/** What a site does for MCP clients, by the number of the requirement in the draft. */

const PLENTY = { unauthenticated: { read: '100000/minute', ask: '100000/minute' } } as const
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const ENVELOPE = {
  [VERSION]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const TOOLS = Object.entries(CAPABILITIES).filter(([, { mode }]) => mode !== 'MODE1')

interface Rpc {
  readonly id: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}
interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

const opened: Bookshop[] = []
let shop: Bookshop

async function openShop(
  overrides: Partial<ConciergeConfig> = {},
  options: McpFaceOptions = {},
): Promise<Bookshop> {
  const other = await openBookshop({ limits: PLENTY, faces: [mcpFace(options)], ...overrides })
  opened.push(other)
  return other
}

beforeAll(async () => {
  shop = await openBookshop({ limits: PLENTY, faces: [mcpFace()] })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((other) => other.close()))
})
afterAll(() => shop.close())

function post(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  { server }: Bookshop = shop,
): Promise<Seen> {
  return send(server.port, { method: 'POST', path: '/mcp', headers, body })
}

/** A request of the revisions up to 2025-11-25. */
async function rpc(
  method: string,
  params?: object,
  headers: Readonly<Record<string, string>> = {},
  site: Bookshop = shop,
): Promise<Rpc & { readonly seen: Seen }> {
  const seen = await post({ jsonrpc: '2.0', id: 7, method, params }, headers, site)
  return { ...(seen.json as Rpc), seen }
}

/** A request of 2026-07-28. */
async function enveloped(method: string, params: object = {}): Promise<Rpc & { readonly seen: Seen }> {
  const { name, uri } = params as { name?: string; uri?: string }
  const subject = name ?? uri
  const fields = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(subject === undefined ? {} : { 'mcp-name': subject }),
  }
  return rpc(method, { ...params, _meta: ENVELOPE }, fields)
}

async function call(
  name: string,
  args: object,
  headers: Readonly<Record<string, string>> = {},
  site: Bookshop = shop,
): Promise<ToolResult & { readonly seen: Seen }> {
  const { result, seen } = await rpc('tools/call', { name, arguments: args }, headers, site)
  return { ...(result as unknown as ToolResult), seen }
}

describe('the MCP face', () => {
  it('R022 R023: is declared among the integrations, as a link too', () => {
    const { integrations, links } = shop.concierge.manifest
    expect(integrations?.['mcp']).toEqual({ url: '/mcp', version: '2025-11-25' })
    expect(links?.['mcp']).toBe('https://books.test/mcp')
  })

  it('R023 R126 R140: initialize names the site, AHP and the manifest', async () => {
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }
    const { result, id, seen } = await rpc('initialize', params)
    const draft = { ahp: '0.1', manifest: 'https://books.test/.well-known/agent.json' }
    expect([seen.status, seen.headers['content-type'], id]).toEqual([200, 'application/json', 7])
    expect(result).toMatchObject({
      protocolVersion: '2024-11-05',
      serverInfo: { name: 'The Book Shelf', version: '0.1', ...draft },
      _meta: draft,
    })
    expect(seen.headers['link']).toContain('ahp-manifest')
    expect(seen.headers['x-ratelimit-limit']).toBe('100000')
  })

  it('R128 R130 R131 R132 R133 R134: the tools are the capabilities of MODE2 and MODE3', async () => {
    for (const list of [await rpc('tools/list'), await enveloped('tools/list')]) {
      const tools = list.result?.['tools'] as { name: string; description: string; inputSchema: object }[]
      expect(tools.map(({ name, description }) => [name, description])).toEqual(
        TOOLS.map(([name, { description }]) => [name, description]),
      )
      for (const { inputSchema } of tools)
        expect(inputSchema).toMatchObject({
          type: 'object',
          properties: { query: { type: 'string' }, session_id: { type: 'string' }, clarification: {} },
          required: ['query'],
        })
    }
  })

  it('R026 R135 R136 R137: a tool answers what converse answers', async () => {
    const { content, structuredContent, isError } = await call('search', { query: 'Emma' })
    const { json } = await shop.ask({ query: 'Emma' })
    const { session_id: session, ...same } = json as Record<string, unknown>
    expect(structuredContent).toMatchObject({ ...same, meta: { capability_used: 'search' } })
    expect(structuredContent['session_id']).toMatch(/^[0-9a-f]{32}$/)
    expect(structuredContent['session_id']).not.toBe(session)
    expect(content[0]).toEqual({ type: 'text', text: 'There is a review of Emma.' })
    expect(content[1]?.text).toContain('- Reviews: /reviews')
    expect(content[1]?.text).toContain(`session_id: ${String(structuredContent['session_id'])}`)
    expect(isError).toBeUndefined()
  })

  it('goes on with a session', async () => {
    const first = await call('search', { query: 'Emma' })
    const next = await call('search', { query: 'Dune', session_id: first.structuredContent['session_id'] })
    expect(next.content[0]?.text).toContain('Before you asked: Emma')
  })

  it('asks back, and takes the reply', async () => {
    const asked = await call('search', { query: 'dune' })
    expect(asked.content[0]?.text).toBe('The novel or the film?')
    expect(asked.content[1]?.text).toMatch(/- novel\n- film\n.*session_id ".*clarification/)
    expect(asked.structuredContent['status']).toBe('clarification_needed')
    const session = { query: 'dune', session_id: asked.structuredContent['session_id'] }
    const told = await call('search', { ...session, clarification: 'film' })
    expect(told.content[0]?.text).toBe('There is a review of dune (film).')
  })

  it('says what went wrong so that a model can read it', async () => {
    const empty = await call('search', {})
    expect(empty).toMatchObject({ isError: true, structuredContent: { code: 'missing_field' } })
    expect(empty.content[0]?.text).toContain('query')
    const lost = await call('search', { query: 'Emma', session_id: 'none' })
    expect(lost).toMatchObject({ isError: true, structuredContent: { code: 'invalid_request' } })
    const broken = await call('broken', { query: 'Emma' })
    expect(broken).toMatchObject({ isError: true, structuredContent: { code: 'concierge_error' } })
    expect(JSON.stringify(broken)).not.toContain('hunter2')
  })

  it.each([
    ['Authorization', { authorization: 'Bearer reader-token' }, undefined],
    ['X-AHP-Key', { 'x-ahp-key': 'reader-token' }, undefined],
    ['_meta.auth', {}, 'Bearer reader-token'],
    ['_meta.auth without a scheme', {}, 'reader-token'],
    ['Authorization before _meta.auth', { authorization: 'Bearer reader-token' }, 'wrong'],
  ])('R027 R138 R139: takes a credential in %s', async (_, headers, auth) => {
    const params = {
      name: 'orders',
      arguments: { query: 'Emma' },
      ...(auth === undefined ? {} : { _meta: { auth } }),
    }
    const { result, seen } = await rpc('tools/call', params, headers)
    expect([seen.status, result?.['isError']]).toEqual([200, undefined])
  })

  it('R027 R139: without the right credential 401 and 403, as converse', async () => {
    const stranger = await call('orders', { query: 'Emma' })
    expect(stranger.seen.status).toBe(401)
    expect(stranger.seen.headers['www-authenticate']).toBe('Bearer')
    expect(stranger).toMatchObject({ isError: true, structuredContent: { code: 'auth_required' } })
    const forged = await call('orders', { query: 'Emma' }, { authorization: 'Bearer forged' })
    expect(forged.seen.status).toBe(401)
    const reader = await call('stock', { query: 'Emma' }, { authorization: 'Bearer reader-token' })
    expect([reader.seen.status, reader.structuredContent['code']]).toEqual([403, 'forbidden'])
  })

  it('H15: keeps a credential in the body away from whoever answers', async () => {
    const seen: unknown[] = []
    const site = await openShop({
      capabilities: {
        look: {
          description: 'Looks.',
          mode: 'MODE2',
          answer: (turn) => {
            seen.push({ ...turn, signal: undefined })
            return { answer: 'Seen.' }
          },
        },
      },
    })
    await rpc(
      'tools/call',
      { name: 'look', arguments: { query: 'x' }, _meta: { auth: 'reader-token' } },
      {},
      site,
    )
    expect(seen).toHaveLength(1)
    expect(JSON.stringify(seen)).not.toContain('reader-token')
    expect(seen).toMatchObject([{ principal: { id: 'reader' } }])
  })

  it('R129: lists and reads the documents of the site', async () => {
    const listed = (await rpc('resources/list')).result?.['resources'] as { uri: string; name: string }[]
    expect(listed.map(({ uri }) => uri)).toEqual([
      'https://books.test/.well-known/agent.json',
      'https://books.test/llms.txt',
    ])
    const manifest = await rpc('resources/read', { uri: listed[0]?.uri })
    const [content] = manifest.result?.['contents'] as { text: string; mimeType: string }[]
    expect(content?.mimeType).toBe('application/json')
    expect(JSON.parse(content?.text ?? '')).toEqual(shop.concierge.manifest)
    const text = await rpc('resources/read', { uri: 'https://books.test/llms.txt' })
    expect(text.result?.['contents']).toMatchObject([
      { mimeType: 'text/markdown', text: '# The Book Shelf\n\nReviews of novels.\n' },
    ])
  })

  it.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'data:text/plain,hello',
    'https://books.test/',
    'https://books.test/agent/converse',
    'https://books.test.evil.example/llms.txt',
    'https://books.test/agent/converse/status/../../../llms.txt',
    'https://books.test/agent/converse/status/none',
    '',
  ])('H3 R129: never reads %s', async (uri) => {
    const { error, result } = await rpc('resources/read', { uri })
    expect(result).toBeUndefined()
    expect(error?.code).toBe(-32602)
  })

  it('R127: GET and DELETE are 405: there are no streams and no sessions (MC-12)', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await shop.visit({
        method,
        path: '/mcp',
        headers: { accept: 'text/event-stream' },
      })
      expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
    }
  })
})

describe('any client is understood', () => {
  it.each([[{ accept: 'application/json' }], [{ accept: '*/*' }], [{}], [{ accept: 'text/event-stream' }]])(
    'MC-01: %o gets JSON',
    async (headers) => {
      const { seen } = await rpc('tools/list', undefined, headers)
      expect([seen.status, seen.headers['content-type']]).toEqual([200, 'application/json'])
    },
  )

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['banana', '2025-11-25'],
  ])('MC-03 MC-05: initialize with %s agrees on %s, whatever the field says', async (asked, agreed) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    for (const headers of [{}, { 'mcp-protocol-version': 'banana' }, { 'mcp-session-id': 'old' }]) {
      const { result, seen } = await rpc('initialize', params, headers)
      expect([seen.status, result?.['protocolVersion']]).toEqual([200, agreed])
    }
  })

  it('MC-04: a version that is not supported is 400 later, none is understood', async () => {
    for (const version of ['banana', '2023-01-01', '2099-01-01'])
      expect((await rpc('tools/list', undefined, { 'mcp-protocol-version': version })).seen.status).toBe(400)
    expect((await rpc('tools/list')).seen.status).toBe(200)
    const later = { ...ENVELOPE, [VERSION]: '2099-01-01' }
    const fields = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' }
    const { error, seen } = await rpc('tools/list', { _meta: later }, fields)
    expect(seen.status).toBe(400)
    expect(error?.data).toMatchObject({ supported: ['2026-07-28'] })
  })

  it('MC-13: a session of another server is 404, so that the client begins again', async () => {
    expect((await rpc('tools/list', undefined, { 'mcp-session-id': 'nope' })).seen.status).toBe(404)
  })

  it('MC-14 MC-15: names that tools cannot have are refused before there is a tool', async () => {
    const answer = (): { answer: string } => ({ answer: 'Yes.' })
    for (const name of ['site.search', 'a b', 'été', '', 'foo/list', 'foo.list', 'x'.repeat(65)]) {
      const capabilities = { [name]: { description: 'Finds.', mode: 'MODE2' as const, answer } }
      await expect(openBookshop({ capabilities })).rejects.toSatisfy((error) =>
        isConverseError(error, 'invalid_option'),
      )
    }
  })

  it('judges each envelope of 2026-07-28, also after it has taken such', async () => {
    const args = { name: 'search', arguments: { query: 'Emma' } }
    const first = await enveloped('tools/call', args)
    const again = await enveloped('tools/call', { ...args, arguments: { query: 'Dune' } })
    expect([first.result, again.result]).toMatchObject([
      { structuredContent: { response: { answer: expect.stringContaining('Emma') as string } } },
      { structuredContent: { response: { answer: expect.stringContaining('Dune') as string } } },
    ])
    expect(Object.keys(again.result ?? {}).toSorted()).toEqual(Object.keys(first.result ?? {}).toSorted())
    expect((await enveloped('tools/list')).result).toEqual((await enveloped('tools/list')).result)
    const good = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'search' }
    const params = { ...args, _meta: ENVELOPE }
    for (const [what, fields, members] of [
      ['another name', { ...good, 'mcp-name': 'reviews' }, params],
      ['another method', { ...good, 'mcp-method': 'tools/list' }, params],
      ['no name', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }, params],
      ['another version in the field', { ...good, 'mcp-protocol-version': '2026-07-29' }, params],
      ['another version inside', good, { ...params, _meta: { ...ENVELOPE, [VERSION]: '2026-07-29' } }],
      ['no client', good, { ...params, _meta: { [VERSION]: '2026-07-28' } }],
    ] as const)
      expect((await rpc('tools/call', members, fields)).seen.status, what).toBe(400)
    for (const wrong of [7, 'x', null, []]) {
      const { error, result } = await enveloped('tools/call', { ...args, arguments: wrong })
      expect(error ?? result, JSON.stringify(wrong)).not.toMatchObject({
        structuredContent: { status: 'success' },
      })
    }
    for (const id of [null, {}, [], true, 1.5]) {
      const body = { jsonrpc: '2.0', id, method: 'tools/call', params }
      const { status } = await send(shop.server.port, { method: 'POST', path: '/mcp', headers: good, body })
      expect(status, JSON.stringify(id)).toBe(400)
    }
  })

  it('takes 2026-07-28 without a handshake, and says how long lists hold', async () => {
    const { result, seen } = await enveloped('server/discover')
    expect([seen.status, seen.headers['content-type']]).toEqual([200, 'application/json'])
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      ttlMs: 3_600_000,
      cacheScope: 'public',
    })
    const { result: answered } = await enveloped('tools/call', {
      name: 'search',
      arguments: { query: 'Emma' },
    })
    expect(answered).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'There is a review of Emma.' }, {}],
    })
    expect((await enveloped('ping')).seen.status).toBe(404)
    expect((await enveloped('subscriptions/listen')).seen.status).toBe(404)
  })

  describe.each<[string, ClientOptions]>([
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ])('the official client, %s', (version, options) => {
    const client = new Client({ name: 'tester', version: '1.0' }, options)
    beforeAll(async () => {
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${shop.server.port}/mcp`)),
      )
    })
    afterAll(() => client.close())

    it('agrees on the version', () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(version)
      expect(client.getServerVersion()?.name).toBe('The Book Shelf')
    })

    it('lists and calls tools', async () => {
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(TOOLS.length)
      const { content, structuredContent } = await client.callTool({
        name: 'search',
        arguments: { query: 'Emma' },
      })
      expect(content).toMatchObject([{ text: 'There is a review of Emma.' }, {}])
      expect(structuredContent).toMatchObject({ status: 'success' })
      await expect(client.callTool({ name: 'contact', arguments: { query: 'x' } })).rejects.toMatchObject({
        code: -32602,
      })
    })

    it('lists and reads resources', async () => {
      const { resources } = await client.listResources()
      const [manifest = { uri: '' }] = resources
      const { contents } = await client.readResource({ uri: manifest.uri })
      expect(contents).toMatchObject([{ mimeType: 'application/json' }])
    })

    it('many at once with one connection', async () => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, number) =>
          client.callTool({ name: 'reviews', arguments: { query: `book ${number}` } }),
        ),
      )
      answers.forEach(({ content }, number) => {
        expect(content[0]).toMatchObject({ text: expect.stringContaining(`book ${number},`) as unknown })
      })
    })
  })
})

describe('nobody is let in who should not be', () => {
  it.each([
    [{ origin: 'http://evil.example', host: 'evil.example' }, 403],
    [{ origin: 'http://evil.example' }, 403],
    [{ host: 'evil.example' }, 403],
    [{ host: 'books.test.evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'https://books.test' }, 200],
    [{ host: 'books.test' }, 200],
    [{ host: 'localhost:3000' }, 200],
    [{ host: '[::1]:3000' }, 200],
    [{}, 200],
  ])('MC-07: %o is %d', async (headers, status) => {
    const { seen } = await rpc('ping', undefined, headers)
    expect(seen.status).toBe(status)
    expect(seen.headers['x-ratelimit-limit']).toBeDefined()
  })

  it('pages and hosts that the site names', async () => {
    const site = await openShop(
      { allowOrigins: ['https://app.example'] },
      { allowHosts: ['shop.internal:8080'] },
    )
    const fields = { origin: 'https://app.example', host: 'shop.internal:8080' }
    const { seen } = await rpc('ping', undefined, fields, site)
    expect([seen.status, seen.headers['access-control-allow-origin']]).toEqual([200, 'https://app.example'])
    const preflight = await site.visit({ method: 'OPTIONS', path: '/mcp', headers: fields })
    expect(preflight.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
  })

  it('each call is one charge, to the address it comes from', async () => {
    const site = await openShop({ limits: { unauthenticated: { read: '3/minute', ask: '2/minute' } } })
    const left = async (answer: Promise<{ seen: Seen }>): Promise<unknown> =>
      (await answer).seen.headers['x-ratelimit-remaining']
    expect(await left(call('search', { query: 'Emma' }, {}, site))).toBe('1')
    expect(await left(call('search', { query: 'Emma' }, {}, site))).toBe('0')
    const third = await call('search', { query: 'Emma' }, {}, site)
    expect(third).toMatchObject({ isError: true, structuredContent: { code: 'rate_limited', scope: 'ip' } })
    expect(third.seen.headers['retry-after']).toBe('60')
    expect(await left(rpc('tools/list', undefined, {}, site))).toBe('2')
    expect(await left(rpc('resources/read', { uri: 'https://books.test/llms.txt' }, {}, site))).toBe('1')
    expect(await left(rpc('tools/call', { name: 'nothing' }, {}, site))).toBe('0')
    const { error, seen } = await rpc('tools/list', undefined, {}, site)
    expect([seen.status, error?.code, seen.headers['retry-after']]).toEqual([429, -32000, '60'])
    const other = await send(site.server.port, {
      method: 'POST',
      path: '/mcp',
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      from: '127.0.0.2',
    })
    expect(other.status).toBe(200)
  })

  it('no client touches what another asks', async () => {
    const ends: (() => void)[] = []
    const site = await openShop({
      capabilities: {
        wait: {
          description: 'Waits.',
          mode: 'MODE2',
          answer: ({ query }) =>
            new Promise((resolve) => {
              ends.push(() => {
                resolve({ answer: `For ${query}.` })
              })
            }),
        },
      },
    })
    const ask = (query: string): Promise<ToolResult> => call('wait', { query }, {}, site)
    const both = [ask('one'), ask('two')]
    await expect.poll(() => ends.length).toBe(2)
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    expect((await post(cancel, {}, site)).status).toBe(202)
    ends.reverse().forEach((end) => {
      end()
    })
    const texts = (await Promise.all(both)).map(({ content }) => content[0]?.text)
    expect(texts.sort()).toEqual(['For one.', 'For two.'])
  })

  it('a client that leaves frees the one that answers', async () => {
    let reason: unknown
    const site = await openShop({
      capabilities: {
        wait: {
          description: 'Waits.',
          mode: 'MODE2',
          answer: ({ signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                reason = signal.reason
                reject(signal.reason as Error)
              })
            }),
        },
      },
    })
    const gone = new AbortController()
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait', arguments: { query: 'x' } },
    })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('https://books.test/mcp', {
      method: 'POST',
      body,
      headers,
      signal: gone.signal,
    })
    const answer = site.concierge.handleRequest(request)
    setTimeout(() => {
      gone.abort(new Error('left'))
    })
    await expect(answer).rejects.toThrow('left')
    expect(reason).toMatchObject({ message: 'left' })
    expect(site.faults).toEqual([])
  })
})

describe('what is no request', () => {
  it.each<[string, unknown, number, number | undefined]>([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['nothing', '', 400, -32700],
    ['a text', '"ping"', 400, -32600],
    ['null', 'null', 400, -32600],
    ['MC-10: a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400, -32600],
    ['an empty batch', [], 400, -32600],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 5 }, 400, -32600],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 400, -32600],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'prompts/list' }, 200, -32601],
    ['a method of objects', { jsonrpc: '2.0', id: 1, method: 'constructor' }, 200, -32601],
    [
      'a tool of objects',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '__proto__' } },
      200,
      -32602,
    ],
    [
      'arguments that are a list',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: [] } },
      200,
      -32602,
    ],
    [
      'a cursor that was never given',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } },
      200,
      -32602,
    ],
    [
      'too many bytes',
      { jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(17_000) } },
      413,
      -32000,
    ],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202, undefined],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/nothing' }, 202, undefined],
    [
      'a call without an id',
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'broken' } },
      202,
      undefined,
    ],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 202, undefined],
  ])('%s', async (_, body, status, code) => {
    const seen = await post(body)
    expect([seen.status, (seen.json as Rpc | undefined)?.error?.code]).toEqual([status, code])
    expect(seen.headers['x-ratelimit-limit']).toBe('100000')
    expect(seen.headers['link']).toContain('ahp-manifest')
    if (status === 202) expect(seen.text).toBe('')
    expect(shop.faults.filter(({ stage }) => stage !== 'answer')).toEqual([])
  })

  it('another media type is 415', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect((await post(body, { 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('deep nesting neither hangs nor crashes', async () => {
    for (const body of [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${'['.repeat(8000)}${']'.repeat(8000)}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"x","deep":${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}}}}`,
    ])
      expect((await post(body)).status).toBeLessThan(500)
    expect((await rpc('ping')).seen.status).toBe(200)
  })

  it('whatever is sent, there is an answer that is not 500, and nothing is reported', async () => {
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', 2, null),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.json()),
        method: fc.constantFrom(
          'tools/call',
          'tools/list',
          'resources/read',
          'initialize',
          'ping',
          'toString',
        ),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({
            name: fc.constantFrom('search', 'nothing'),
            arguments: fc.jsonValue(),
            _meta: fc.jsonValue(),
          }),
        ),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(message, async (sent) => {
        const { status } = await post(JSON.stringify(sent))
        expect([200, 202, 400, 401]).toContain(status)
      }),
      { numRuns: 150 },
    )
    expect(shop.faults.filter(({ stage }) => stage !== 'answer')).toEqual([])
  })
})

describe('options', () => {
  it.each([
    [{ path: 'mcp' }, 'path'],
    [{ path: '//evil.example' }, 'path'],
    [{ maxRequestBytes: 0 }, 'maxRequestBytes'],
    [{ maxRequestBytes: NaN }, 'maxRequestBytes'],
    [{ allowHosts: 'x' }, 'allowHosts'],
    [{ paths: '/x' }, 'mcpFace.paths'],
  ])('%o is refused', (options, option) => {
    expect(() => mcpFace(options as McpFaceOptions)).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }) as Error,
    )
  })

  it('a path that is taken, or the same face twice', async () => {
    const taken = { code: 'invalid_option', option: 'faces[0].path' }
    await expect(openBookshop({ faces: [mcpFace({ path: '/llms.txt' })] })).rejects.toMatchObject(taken)
    const twice = [mcpFace(), mcpFace({ path: '/other' })]
    await expect(openBookshop({ faces: twice })).rejects.toMatchObject({ option: 'faces[1]' })
  })
})
