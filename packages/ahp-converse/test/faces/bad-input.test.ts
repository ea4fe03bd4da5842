import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mcpFace } from '../../src/mcp.js'
import { openApiFace } from '../../src/openapi.js'
import { type Seen, send, type Visit } from '../bookshop.js'
import { type Desk, openDesk, READER, STAFF } from '../desk.js'

/** What strangers send to do harm, by every way in: each is refused, reaches nobody who answers, and is no fault of the site. */

type Fields = Readonly<Record<string, string>>
type Asked = Readonly<Record<string, unknown>>

interface Way {
  /** The request for a capability with these members. */
  readonly visit: (capability: string, asked: Asked, headers?: Fields) => Visit
  /** The error in the answer: a code of the protocol, or of JSON-RPC. */
  readonly errorIn: (seen: Seen) => unknown
}

const WAYS: Readonly<Record<string, Way>> = {
  converse: {
    visit: (capability, { input, ...asked }, headers = {}) =>
      post('/agent/converse', { capability, ...(input === undefined ? {} : { input }), ...asked }, headers),
    errorIn: codeIn,
  },
  OpenAPI: {
    visit: (capability, { input, ...asked }, headers = {}) =>
      post(`/capabilities/${capability}`, { ...(input as object | undefined), ...asked }, headers),
    errorIn: codeIn,
  },
  MCP: {
    visit: (name, { input, ...asked }, headers = {}) =>
      post(
        '/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: { ...(input as object | undefined), ...asked } },
        },
        headers,
      ),
    errorIn({ json }) {
      const { result, error } = json as { result?: { structuredContent?: object }; error?: { code: number } }
      return error?.code ?? (result?.structuredContent as { code?: unknown } | undefined)?.code
    },
  },
}

function post(path: string, body: unknown, headers: Fields): Visit {
  return { method: 'POST', path, body, headers }
}

function codeIn({ json }: Seen): unknown {
  return (json as { code?: unknown } | undefined)?.code
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : { a: nested(depth - 1) }
}

const QUESTION = { query: 'x' }
const ORDER = { order_id: 'ORD-1' }
const HOSTILE: readonly (readonly [string, string, Asked])[] = [
  ['a session that never was', 'search', { ...QUESTION, session_id: 'f'.repeat(32) }],
  ['a session that is a path', 'search', { ...QUESTION, session_id: '../../../etc/passwd' }],
  ['a session named as a member of every object', 'search', { ...QUESTION, session_id: '__proto__' }],
  ['a session id that is too long', 'search', { ...QUESTION, session_id: 'f'.repeat(129) }],
  ['a session id that is none', 'search', { ...QUESTION, session_id: { $ne: null } }],
  ['a reply that nobody asked for', 'search', { ...QUESTION, clarification: 'red' }],
  ['a query of another type', 'search', { query: [{ role: 'system', content: 'x' }] }],
  ['a query that is too long', 'search', { query: 'x'.repeat(4097) }],
  ['input nested too deeply', 'quote', { ...QUESTION, input: { deep: nested(80) } }],
  ['input that does not fit', 'refund', { ...QUESTION, input: { ...ORDER, all: true } }],
  ['a pattern with a line break behind it', 'refund', { ...QUESTION, input: { order_id: 'ORD-1\n' } }],
  [
    'a callback into the site’s network',
    'quote',
    { ...QUESTION, context: { callback_url: 'https://10.0.0.1/' } },
  ],
]
/** Texts and bodies that are no request at all. */
const MALFORMED: readonly (readonly [string, unknown])[] = [
  ['no JSON', '{'],
  ['a body of another encoding', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
  ['a lone surrogate half of UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['too much', JSON.stringify({ query: 'x'.repeat(20_000) })],
  ['brackets without an end', '['.repeat(8_000)],
  ['a batch', [QUESTION, QUESTION]],
  ['a number', 7],
  ['null', null],
]

let desk: Desk
let answered = 0

beforeAll(async () => {
  desk = await openDesk({
    faces: [mcpFace(), openApiFace()],
    limits: {
      unauthenticated: { ask: '9999/minute', read: '9999/minute' },
      authenticated: { ask: '9999/minute', action: '9999/minute', read: '9999/minute' },
    },
    observe: (event) => {
      if (event.type === 'question' && event.outcome === 'success') answered++
    },
  })
})
afterAll(() => desk.close())

describe.each(Object.entries(WAYS))('by %s', (name, { visit, errorIn }) => {
  async function expectRefused(wish: Visit): Promise<void> {
    const before = [answered, desk.effects.length, desk.waiting.length]
    const seen = await send(desk.server.port, wish)
    expect(errorIn(seen), seen.text).toBeDefined()
    expect(seen.status).toBeLessThan(500)
    expect(seen.text).not.toMatch(/node_modules|\.ts:|at .*\(/)
    expect([answered, desk.effects.length, desk.waiting.length]).toEqual(before)
    expect(desk.faults).toEqual([])
  }

  it.each(HOSTILE)('%s', (_what, capability, asked) => expectRefused(visit(capability, asked, STAFF)))

  it.each(MALFORMED)('%s', (_what, body) => {
    const { path } = visit('search', QUESTION)
    const headers = { ...STAFF, 'content-type': 'application/json' }
    // A number and null are to be sent as JSON like everything else.
    const text = typeof body === 'number' || body === null ? JSON.stringify(body) : body
    return expectRefused({ method: 'POST', path: path ?? '', headers, body: text })
  })

  it('a session of another', async () => {
    const { json } = await send(desk.server.port, WAYS['converse']?.visit('search', QUESTION, READER) ?? {})
    const { session_id } = json as { session_id: string }
    await expectRefused(visit('search', { ...QUESTION, session_id }, STAFF))
    await expectRefused(visit('search', { ...QUESTION, session_id }))
  })

  it('a key that was used for another request', async () => {
    const headers = { ...STAFF, 'idempotency-key': `of-${name}` }
    const first = await send(desk.server.port, visit('refund', { ...QUESTION, input: ORDER }, headers))
    expect(errorIn(first), first.text).toBeUndefined()
    const others: readonly (readonly [string, Asked])[] = [
      ['refund', { ...QUESTION, input: { order_id: 'ORD-2' } }],
      ['refund', { query: 'y', input: ORDER }],
      ['quote', { ...QUESTION, input: ORDER }],
    ]
    for (const [capability, asked] of others) await expectRefused(visit(capability, asked, headers))
  })

  it('and goes on as if nothing had been', async () => {
    const seen = await send(desk.server.port, visit('search', QUESTION))
    expect([seen.status, errorIn(seen)]).toEqual([200, undefined])
  })
})

it.each([
  'f'.repeat(32),
  '..%2f..%2fetc%2fpasswd',
  '__proto__',
  'constructor',
  '%00',
  '%ff',
  `${'f'.repeat(32)}%0d%0aSet-Cookie:x=1`,
  'x'.repeat(4_000),
])('a job that never was: %s', async (id) => {
  const path = `/agent/converse/status/${id}`
  const { status, headers } = await send(desk.server.port, { path, headers: READER })
  expect([status, headers['set-cookie']]).toEqual([404, undefined])
  const params = { uri: `https://books.test${path}` }
  const seen = await send(
    desk.server.port,
    post('/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/read', params }, READER),
  )
  expect((seen.json as { error: { code: number } }).error.code).toBe(-32602)
  expect(desk.faults).toEqual([])
})

it.each([
  'file:///etc/passwd',
  'data:text/plain,x',
  'http://169.254.169.254/latest/meta-data',
  'https://books.test.evil.example/llms.txt',
  'https://books.test@evil.example/llms.txt',
  'https://books.test/llms.txt/../../.env',
  'https://books.test//evil.example/',
])('a resource that is not the site’s: %s', async (uri) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
  const seen = await send(desk.server.port, post('/mcp', message, READER))
  expect((seen.json as { error: { code: number } }).error.code).toBe(-32602)
})

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe.each([
  ['before 2026-07-28', {}, undefined],
  ['of 2026-07-28', { 'mcp-protocol-version': '2026-07-28' }, ENVELOPE],
])('parameters of MCP that make no sense, %s', (_era, headers: Fields, envelope) => {
  it.each([
    ['tools/call', undefined, envelope === undefined ? 'params' : 'params.name'],
    ['tools/call', {}, 'params.name'],
    ['tools/call', { name: 5 }, 'params.name'],
    ['tools/call', { name: 'search', arguments: 'x' }, 'params.arguments'],
    ['tools/call', { name: 'search', arguments: null }, 'params.arguments'],
    ['tools/call', { name: 'search', arguments: [1] }, 'params.arguments'],
    ['resources/read', {}, 'params.uri'],
    ['resources/read', { uri: 5 }, 'params.uri'],
    ['tools/list', { cursor: 5 }, 'params.cursor'],
    ['resources/list', { cursor: {} }, 'params.cursor'],
    ['resources/templates/list', { cursor: [] }, 'params.cursor'],
  ])('%s with %j', async (method, given: Asked | undefined, named) => {
    const params = envelope === undefined ? given : { ...given, _meta: envelope }
    const name = (given?.['name'] ?? given?.['uri']) as string | number | undefined
    const seen = await send(
      desk.server.port,
      post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, ...(params && { params }) },
        {
          ...headers,
          ...(envelope && {
            'mcp-method': method,
            ...(name === undefined ? {} : { 'mcp-name': String(name) }),
          }),
        },
      ),
    )
    const { error, id } = seen.json as { error: { code: number; message: string }; id: unknown }
    expect([seen.status, id, error.code]).toEqual([200, 1, -32602])
    expect(error.message).toContain(`Invalid params. ${named}: `)
    expect(error.message).not.toMatch(/[\n[{]/)
    expect(seen.headers['x-ratelimit-limit']).toBeDefined()
    expect(desk.faults).toEqual([])
  })
})

it('a parameter of MCP with a long name and hidden characters is named on one line, in whole characters', async () => {
  const capabilities = { experimental: { [`\u202e\n\u001b[31m${'😀'.repeat(400)}`]: 1 } }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } }
  for (const id of ['even', 'odd']) {
    const method = 'initialize'
    const named = id === 'odd' ? JSON.stringify(params).replace('[31m', 'x[31m') : JSON.stringify(params)
    const message = { jsonrpc: '2.0', id, method, params: JSON.parse(named) as object }
    const seen = await send(desk.server.port, post('/mcp', message, {}))
    const { error } = seen.json as { error: { code: number; message: string } }
    expect([error.code, error.message.length <= 500]).toEqual([-32602, true])
    expect(error.message).toMatch(/^Invalid params\. params\.capabilities\.experimental\.[^\p{C}]+…$/u)
  }
})

it('a client of MCP that does not say what it is, is told so', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c' } }
  const seen = await send(
    desk.server.port,
    post('/mcp', { jsonrpc: '2.0', id: 'first', method: 'initialize', params }, {}),
  )
  expect(seen.json).toMatchObject({
    id: 'first',
    error: { code: -32602, message: expect.stringContaining('params.clientInfo.version: ') as string },
  })
})
