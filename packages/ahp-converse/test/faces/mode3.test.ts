import { scriptedLookup } from '@internal/loopback'
import { loadRequirements } from '@internal/vectors'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mcpFace } from '../../src/mcp.js'
import { createCallbackTransport } from '../../src/node.js'
import { openApiFace } from '../../src/openapi.js'
import type { CallbackDelivery, CallbackTransport, Face } from '../../src/server.js'
import { type Seen, send } from '../bookshop.js'
import { type Desk, openDesk, READER, STAFF, type Waiting } from '../desk.js'

/** Every requirement of MODE3 by every way in: what acts must act the same, and once. */

const faces = (): Face[] => [mcpFace(), openApiFace()]

/** Each of a kind of its own; how all kinds are judged is tested where callbacks are. */
const HOSTILE_URLS = [
  'http://agent.example/hook',
  'https://127.0.0.1/hook',
  'https://[::ffff:7f00:1]/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://private.example/',
  'https://unknown.example/',
  'https://93.184.216.34:8443/',
  'https://user:secret@agent.example/',
  'javascript:alert(1)',
]

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
  desk = await openDesk({ faces: faces() })
})
afterEach(() => desk.close())

async function post({ server }: Desk, path: string, body: object, headers: Fields): Promise<Answered> {
  const { json, ...seen } = await send(server.port, { method: 'POST', path, body, headers })
  return { ...seen, body: json as Answered['body'] }
}

function readResource(uri: string, headers: Fields, own: Desk = desk): Promise<Answered> {
  const params = { uri }
  return post(own, '/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/read', params }, headers)
}

/** Which requirements were tested by which way. */
const tested = new Map<string, Set<string>>()

function requirement(way: string, ids: string, title: string, test: () => Promise<void>): void {
  for (const id of ids.split(' ')) tested.set(id, (tested.get(id) ?? new Set()).add(way))
  it(`${ids}: ${title}`, test)
}

const HOOK = 'https://agent.example/hook'
const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`

/** Asks for an offer, and has it made; gives the address of the job. */
async function offered(
  ask: Ask,
  context: object,
  end: (waiting: Waiting) => void,
  own: Desk = desk,
): Promise<string> {
  const arrival = own.arrival()
  const { body } = await ask(own, 'quote', {}, { query: 'Offer.', context }, READER)
  expect(body).toMatchObject({ status: 'accepted' })
  end(await arrival)
  return String(body['poll'])
}

/** What the owner of a job is told of it: by its address, and as a resource of MCP. */
async function polled(path: string, own: Desk = desk): Promise<readonly unknown[]> {
  const { json } = await send(own.server.port, { path, headers: READER })
  const { result } = (await readResource(`https://books.test${path}`, READER, own)).body as {
    result: { contents: { text: string }[] }
  }
  return [json, JSON.parse(result.contents[0]?.text ?? '') as unknown]
}

function twice(body: object): readonly unknown[] {
  return [expect.objectContaining(body) as unknown, expect.objectContaining(body) as unknown]
}

describe.each(WAYS)('by %s', (way, ask) => {
  const row = requirement.bind(undefined, way)

  row('R026 R041 R135 R143', 'acts with checked input, for those who may', async () => {
    const { status, body } = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, STAFF)
    expect([status, body]).toMatchObject([
      200,
      { status: 'success', response: { answer: 'Refund number 1 of ORD-7.' }, meta: { mode: 'MODE3' } },
    ])
    expect(desk.effects).toHaveLength(1)
  })

  row('R027 R041 R139', 'does nothing for a stranger, or without the right', async () => {
    const stranger = await ask(desk, 'refund', ORDER, { query: 'Refund it.' })
    expect([stranger.status, stranger.body['code']]).toEqual([401, 'auth_required'])
    expect(stranger.headers['www-authenticate']).toBeDefined()
    const reader = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, READER)
    expect([reader.status, reader.body['code']]).toEqual([403, 'forbidden'])
    expect(desk.effects).toEqual([])
  })

  row('R119', 'refuses input that does not fit the schema', async () => {
    for (const input of [{}, { order_id: 'x' }, { order_id: 7 }, { ...ORDER, more: 1 }]) {
      const { body } = await ask(desk, 'refund', input, { query: 'Refund it.' }, STAFF)
      expect(body, JSON.stringify(input)).toMatchObject({ status: 'error', code: 'invalid_request' })
    }
    expect(desk.effects).toEqual([])
  })

  row('R075 R076 R087 R088 R138', 'takes a bearer token and an API key, and no other', async () => {
    for (const headers of [STAFF, { 'x-ahp-key': 'staff-token' }]) {
      const { body } = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, headers)
      expect(body, JSON.stringify(headers)).toMatchObject({ status: 'success' })
    }
    for (const headers of [
      { authorization: 'Bearer another' },
      { authorization: 'Basic c3RhZmYtdG9rZW4=' },
      { 'x-ahp-key': 'another' },
      { cookie: 'token=staff-token' },
    ]) {
      const { status, body } = await ask(desk, 'refund', ORDER, { query: 'Refund it.' }, headers)
      expect([status, body['code']], JSON.stringify(headers)).toEqual([401, 'auth_required'])
    }
    expect(desk.effects).toHaveLength(2)
  })

  row('R080 R081', 'posts to the callback what a poll is told, signed', async () => {
    const posted: { readonly url: string; readonly delivery: CallbackDelivery }[] = []
    const transport: CallbackTransport = {
      allows: () => Promise.resolve(true),
      post(url, delivery) {
        posted.push({ url, delivery })
        return Promise.resolve({ status: 204 })
      },
    }
    const own = await openDesk({ faces: faces(), callbacks: { transport, secrets: () => [SECRET] } })
    try {
      const path = await offered(
        ask,
        { callback_url: HOOK },
        ({ open }) => {
          open({ answer: 'For 30.', output: {} })
        },
        own,
      )
      await expect.poll(() => posted.length).toBe(1)
      const [{ url, delivery }] = posted as [(typeof posted)[0]]
      expect(url).toBe(HOOK)
      const {
        'webhook-id': id = '',
        'webhook-timestamp': seconds,
        'webhook-signature': signature,
      } = delivery.headers
      expect(signature).toBe(new Webhook(SECRET).sign(id, new Date(Number(seconds) * 1000), delivery.body))
      expect(twice(JSON.parse(delivery.body) as object)).toEqual(await polled(path, own))
    } finally {
      await own.close()
    }
  })

  row('R117', 'refuses at once a callback that leads where it must not', async () => {
    const transport = createCallbackTransport({ lookup: scriptedLookup({ 'private.example': ['10.0.0.1'] }) })
    const own = await openDesk({ faces: faces(), callbacks: { transport, secrets: () => [SECRET] } })
    try {
      for (const callback_url of HOSTILE_URLS) {
        const asked = { query: 'Offer.', context: { callback_url } }
        const { body } = await ask(own, 'quote', {}, asked, READER)
        expect(body, callback_url).toMatchObject({ status: 'error', code: 'invalid_request' })
      }
      expect(own.waiting).toEqual([])
    } finally {
      await own.close()
      await transport.close()
    }
  })

  row('R078 R079 R082', 'is polled until it has succeeded, failed or expired', async () => {
    const held: Waiting[] = []
    const keep = (waiting: Waiting): void => {
      held.push(waiting)
    }
    const paths = [await offered(ask, {}, keep), await offered(ask, {}, keep), await offered(ask, {}, keep)]
    const [first = '', second = '', third = ''] = paths
    for (const path of paths) expect(await polled(path)).toEqual(twice({ status: 'pending' }))
    held[0]?.open({ answer: 'For 30.', output: { total: 30 } })
    held[1]?.fail(new Error('password=hunter2'))
    await expect.poll(() => polled(first)).toEqual(twice({ status: 'success' }))
    await expect.poll(() => polled(second)).toEqual(twice({ status: 'failed' }))
    expect(JSON.stringify(await polled(second))).not.toContain('hunter2')
    desk.pass(86_400_000 - 1)
    expect(await polled(third)).toEqual(twice({ status: 'pending' }))
    desk.pass(1)
    expect(await polled(third)).toEqual(twice({ status: 'expired' }))
  })

  row('R115', 'gives nothing but what its output schema names', async () => {
    const context = { accept_types: ['application/data'] }
    const answered = await ask(desk, 'order_state', ORDER, { query: 'Where is it?', context })
    expect(answered.body).toMatchObject({ response: { payload: { data: { ...ORDER, state: 'sent' } } } })
    expect(JSON.stringify(answered)).not.toContain('kept')
  })

  row('R098', 'has a stricter limit than questions', async () => {
    const own = await openDesk({ faces: faces(), limits: { authenticated: { action: '1/minute' } } })
    try {
      const refund = (): Promise<Answered> => ask(own, 'refund', ORDER, { query: 'Refund it.' }, STAFF)
      expect([(await refund()).body['status'], (await refund()).body['code']]).toEqual([
        'success',
        'rate_limited',
      ])
      const { body } = await ask(own, 'order_state', ORDER, { query: 'Where is it?' }, STAFF)
      expect(body['status']).toBe('success')
      expect(own.effects).toHaveLength(1)
    } finally {
      await own.close()
    }
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

  row('R043', 'takes the intent from the context', async () => {
    const without = await ask(desk, 'purpose', {}, { query: 'Do.' })
    expect(without.body).toMatchObject({ status: 'error' })
    const { body } = await ask(desk, 'purpose', {}, { query: 'Do.', context: { user_intent: 'a gift' } })
    expect(body).toMatchObject({ response: { answer: 'For a gift.' } })
  })

  row('R042 R077 R078 R147', 'is accepted and answered later, to its owner only', async () => {
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

  row('R097', 'counts as an action, once', async () => {
    const limited = await openDesk({
      faces: faces(),
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

it('R038 R039 R040 R041 R133 R134 R141: what MODE3 is and takes is in the manifest, its tool and its operation', async () => {
  expect(desk.concierge.manifest).toMatchObject({
    modes: expect.arrayContaining(['MODE2', 'MODE3']) as unknown,
    authentication: 'bearer',
  })
  for (const { mode, ...own } of desk.concierge.manifest.capabilities ?? [])
    if (mode === 'MODE3') {
      expect(own.action_type).toMatch(/^(query|action|async)$/)
      expect([own.input_schema, own.output_schema]).toEqual([expect.any(Object), expect.any(Object)])
    }
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

/** What is declared, or the same for all ways in, and tested once: above, and where the manifest is. */
const ONCE: readonly string[] = ['R020', 'R034', 'R038', 'R039', 'R040', 'R128']

it('leaves out no requirement of MODE3 by any way', () => {
  const rules = loadRequirements('ahp/v0.1').filter(
    ({ id, subject, text }) =>
      /^AHP01-R-\d+$/.test(id) &&
      subject !== 'client' &&
      subject !== 'protocol' &&
      /MODE3|async|action|callback|poll|pending|bearer/i.test(text),
  )
  const ids = rules.map(({ id }) => `R${id.slice(-3)}`)
  const missing = ids.filter((id) => tested.get(id)?.size !== WAYS.length && !ONCE.includes(id))
  expect(missing).toEqual([])
})
