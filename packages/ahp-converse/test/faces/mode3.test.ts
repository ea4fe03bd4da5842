import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mcpFace } from '../../src/mcp.js'
import { openApiFace } from '../../src/openapi.js'
import { type Seen, send } from '../bookshop.js'
import { type Desk, openDesk, READER, STAFF } from '../desk.js'

/** MODE3 by every way in: what acts must act the same, and once. */

type Fields = Readonly<Record<string, string>>

interface Asked {
  readonly query: string
  readonly session_id?: string
  readonly clarification?: string
  readonly context?: object
}
interface Answered {
  readonly status: number
  readonly headers: Seen['headers']
  readonly body: Readonly<Record<string, unknown>>
}

const ORDER = { order_id: 'ORD-7' }

/** Asks a capability with structured input as the way in has it. */
type Ask = (
  desk: Desk,
  capability: string,
  input: object,
  asked: Asked,
  headers?: Fields,
) => Promise<Answered>

const WAYS: readonly (readonly [string, Ask])[] = [
  [
    'converse',
    (desk, capability, input, asked, headers = {}) =>
      post(desk, '/agent/converse', { capability, input, ...asked }, headers),
  ],
  [
    'OpenAPI',
    (desk, capability, input, asked, headers = {}) =>
      post(desk, `/capabilities/${capability}`, { ...input, ...asked }, headers),
  ],
  [
    'MCP',
    async (desk, name, input, asked, headers = {}) => {
      const params = { name, arguments: { ...input, ...asked } }
      const answered = await post(
        desk,
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        headers,
      )
      const { result } = answered.body as {
        result: { structuredContent: Answered['body']; isError?: boolean }
      }
      expect(result.isError === true).toBe(result.structuredContent['status'] === 'error')
      return { ...answered, body: result.structuredContent }
    },
  ],
]

let desk: Desk

beforeEach(async () => {
  desk = await openDesk({ faces: [mcpFace(), openApiFace()] })
})
afterEach(() => desk.close())

async function post({ server }: Desk, path: string, body: object, headers: Fields): Promise<Answered> {
  const { json, ...seen } = await send(server.port, { method: 'POST', path, body, headers })
  return { ...seen, body: json as Answered['body'] }
}

function readResource(uri: string, headers: Fields): Promise<Answered> {
  const params = { uri }
  return post(desk, '/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/read', params }, headers)
}

describe.each(WAYS)('by %s', (way, ask) => {
  it('R026 R041 R135 R143: acts with checked input, for those who may', async () => {
    const { status, body } = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, STAFF)
    expect([status, body]).toMatchObject([
      200,
      { status: 'success', response: { answer: 'Refund number 1 of ORD-7.' }, meta: { mode: 'MODE3' } },
    ])
    expect(desk.effects).toHaveLength(1)
  })

  it('R027 R041 R139: does nothing for a stranger, or without the right', async () => {
    const stranger = await ask(desk, 'refund', ORDER, { query: 'Refund it.' })
    expect([stranger.status, stranger.body['code']]).toEqual([401, 'auth_required'])
    expect(stranger.headers['www-authenticate']).toBeDefined()
    const reader = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, READER)
    expect([reader.status, reader.body['code']]).toEqual([403, 'forbidden'])
    expect(desk.effects).toEqual([])
  })

  it('R119: refuses input that does not fit the schema', async () => {
    for (const input of [{}, { order_id: 'x' }, { order_id: 7 }, { ...ORDER, more: 1 }]) {
      const { body } = await ask(desk, 'refund', input, { query: 'Refund it.' }, STAFF)
      expect(body, JSON.stringify(input)).toMatchObject({ status: 'error', code: 'invalid_request' })
    }
    expect(desk.effects).toEqual([])
  })

  it('acts once for one Idempotency-Key', async () => {
    const headers = { ...STAFF, 'idempotency-key': 'one' }
    const first = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, headers)
    const again = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, headers)
    expect(again.body['response']).toEqual(first.body['response'])
    const other = await ask(desk, 'refund', { order_id: 'ORD-8' }, { query: 'Refund it.' }, headers)
    expect(other.body['status']).toBe('error')
    expect(desk.effects).toHaveLength(1)
  })

  it('R043: takes the intent from the context', async () => {
    const without = await ask(desk, 'purpose', {}, { query: 'Do.' })
    expect(without.body).toMatchObject({ status: 'error' })
    const { body } = await ask(desk, 'purpose', {}, { query: 'Do.', context: { user_intent: 'a gift' } })
    expect(body).toMatchObject({ response: { answer: 'For a gift.' } })
  })

  it('R077 R147: is accepted and answered later, to its owner only', async () => {
    const arrival = desk.arrival()
    const { status, body } = await ask(desk, 'quote', { pages: 3 }, { query: 'Offer.' }, READER)
    expect([status, body]).toMatchObject([200, { status: 'accepted', eta_seconds: 90 }])
    const poll = String(body['poll'])
    const waiting = await arrival
    expect(waiting.turn.input).toEqual({ pages: 3 })
    const look = (headers: Fields): Promise<Seen> => send(desk.server.port, { path: poll, headers })
    expect((await look(READER)).json).toMatchObject({ status: 'pending' })
    waiting.open({ answer: 'For 30.', output: {} })
    await expect.poll(async () => (await look(READER)).json).toMatchObject({ status: 'success' })
    expect((await look(STAFF)).status).toBe(404)
    const uri = `https://books.test${poll}`
    const { result } = (await readResource(uri, READER)).body as { result: { contents: { text: string }[] } }
    expect(JSON.parse(result.contents[0]?.text ?? '')).toMatchObject({ response: { answer: 'For 30.' } })
    expect((await readResource(uri, STAFF)).body).toMatchObject({ error: { code: -32602 } })
  })

  it('R097: counts as an action, once', async () => {
    const limited = await openDesk({
      faces: [mcpFace(), openApiFace()],
      limits: { authenticated: { action: '1/minute' } },
    })
    try {
      const first = await ask(limited, 'refund', ORDER, { query: 'Refund it.' }, STAFF)
      expect([first.body['status'], first.headers['x-ratelimit-remaining']]).toEqual(['success', '0'])
      const second = await ask(limited, 'refund', ORDER, { query: 'Refund it.' }, STAFF)
      expect(second.body).toMatchObject({ code: 'rate_limited' })
      expect(second.headers['retry-after']).toBeDefined()
      expect(second.status).toBe(way === 'MCP' ? 200 : 429)
    } finally {
      await limited.close()
    }
  })

  it('asks back before it acts', async () => {
    const asked = await ask(desk, 'which', { size: 2 }, { query: 'Paint.' }, READER)
    expect(asked.body).toMatchObject({ status: 'clarification_needed' })
    const reply = { query: 'Paint.', session_id: String(asked.body['session_id']), clarification: 'red' }
    const { body } = await ask(desk, 'which', { size: 2 }, reply, READER)
    expect(body).toMatchObject({ response: { answer: 'Painted red.' } })
  })
})

it('R133 R134 R141: what MODE3 takes is in its tool and in its operation', async () => {
  const list = await post(desk, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {})
  const { tools } = list.body['result'] as {
    tools: { name: string; inputSchema: object; annotations: object }[]
  }
  const refund = tools.find(({ name }) => name === 'refund')
  expect(refund).toMatchObject({
    inputSchema: {
      properties: { order_id: { type: 'string' }, query: { type: 'string' }, context: { type: 'object' } },
      required: ['query', 'order_id'],
    },
    annotations: { readOnlyHint: false },
  })
  const { json } = await send(desk.server.port, { path: '/openapi.json' })
  const { paths } = json as { paths: Record<string, { post?: { security?: unknown; callbacks?: unknown } }> }
  expect(paths['/capabilities/refund']?.post?.security).toEqual([{ bearer: [] }, { apiKey: [] }])
  expect(paths).toHaveProperty(['/agent/converse/status/{session_id}', 'get'])
})
