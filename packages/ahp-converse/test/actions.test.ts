import type { Manifest } from '@doorplate/ahp-manifest'
import { afterEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../src/outcome.js'
import { createMemoryJobStore, defineConcierge, type ConciergeConfig } from '../src/server.js'
import type { Seen } from './bookshop.js'
import { type Desk, openDesk, READER, STAFF } from './desk.js'

/** What acts and what is answered later, over HTTP; rows of the requirements by their numbers. */

const opened: Desk[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((desk) => desk.close()))
})

async function open(overrides: Partial<ConciergeConfig> = {}): Promise<Desk> {
  const desk = await openDesk(overrides)
  opened.push(desk)
  return desk
}

type Json = Readonly<Record<string, unknown>>
const body = ({ json }: Seen): Json => json as Json
const member = (seen: Seen, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], seen.json)

const ORDER = { capability: 'refund', query: '{"order_id":"ORD-1"}' }

describe('the manifest', () => {
  it('R038 R039 R040 R041 R042: says what acts, what it takes and gives, and that answers may come later', async () => {
    const desk = await open()
    const manifest = (await desk.visit({ path: '/.well-known/agent.json' })).json as Manifest
    expect(manifest.modes).toEqual(['MODE1', 'MODE2', 'MODE3'])
    expect(manifest.authentication).toBe('bearer')
    expect(manifest.async).toEqual({ supported: true, max_eta_seconds: 86_400 })
    const acting = manifest.capabilities?.filter(({ mode }) => mode === 'MODE3') ?? []
    expect(acting.map(({ action_type: type }) => type)).toEqual(
      expect.arrayContaining(['query', 'action', 'async']),
    )
    for (const { input_schema: input, output_schema: output } of acting) {
      expect(input).toMatchObject({ type: 'object' })
      expect(output).toMatchObject({ type: 'object' })
    }
  })

  it.each([
    ['an open action', { actionType: 'action', auth: 'none' }, 'capabilities.x.auth'],
    ['an open async', { actionType: 'async', auth: 'none' }, 'capabilities.x.auth'],
    ['no action type', {}, 'capabilities.x.actionType'],
    ['no input schema', { actionType: 'query', inputSchema: undefined }, 'capabilities.x.inputSchema'],
    ['no output schema', { actionType: 'query', outputSchema: undefined }, 'capabilities.x.outputSchema'],
    [
      'a list as input',
      { actionType: 'query', inputSchema: { type: 'array' } },
      'capabilities.x.inputSchema',
    ],
    ['a cached action', { actionType: 'action', cache: true }, 'capabilities.x.cache'],
    [
      'a wait that is no number',
      { actionType: 'action', acceptAfterMs: Number.NaN },
      'capabilities.x.acceptAfterMs',
    ],
    ['terms of jobs without a job', { actionType: 'query', etaSeconds: 3 }, 'capabilities.x.etaSeconds'],
  ])('R041: %s is refused at the start', (_what, members, option) => {
    const x = {
      description: '',
      mode: 'MODE3',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      answer: () => ({ answer: 'x' }),
      ...members,
    }
    expect(() => defineConcierge(declaration(x))).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }) as Error,
    )
  })

  it('H5 R041: an action without anybody to check credentials is refused at the start', () => {
    const { verify: _none, ...config } = declaration({
      description: '',
      mode: 'MODE3',
      actionType: 'action',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      answer: () => ({ answer: 'x' }),
    })
    expect(() => defineConcierge(config)).toThrow(expect.objectContaining({ option: 'verify' }) as Error)
  })

  function declaration(x: object): ConciergeConfig {
    return {
      name: 'x',
      publicUrl: 'https://x.example',
      contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
      capabilities: { x: x as ConciergeConfig['capabilities'][string] },
      verify: () => null,
    }
  }
})

describe('an action', () => {
  it('H5 R041 R075 R076 R087 R088: is for those with a credential and the right to it', async () => {
    const desk = await open()
    const stranger = await desk.ask(ORDER)
    expect([stranger.status, body(stranger)['code'], stranger.headers['www-authenticate']]).toEqual([
      401,
      'auth_required',
      'Bearer',
    ])
    const forged = await desk.ask(ORDER, { headers: { authorization: 'Bearer guess' } })
    expect([forged.status, forged.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"'])
    const reader = await desk.ask(ORDER, { headers: READER })
    expect([reader.status, body(reader)['code']]).toEqual([403, 'forbidden'])
    expect(desk.effects).toEqual([])
    const staff = await desk.ask(ORDER, { headers: { 'x-ahp-key': 'staff-token' } })
    expect([staff.status, body(staff)['status']]).toEqual([200, 'success'])
    expect(desk.effects).toHaveLength(1)
  })

  it('answers with its result as data, checked', async () => {
    const desk = await open()
    const done = await desk.ask(
      { ...ORDER, context: { accept_types: ['application/action-result'] } },
      { headers: STAFF },
    )
    expect(member(done, 'response', 'payload')).toEqual({
      action: 'refund',
      success: true,
      result: { order_id: 'ORD-1', state: 'refunded' },
    })
    expect(member(done, 'meta')).toMatchObject({ mode: 'MODE3', capability_used: 'refund', cached: false })
    const broken = await desk.ask({ capability: 'mistaken', query: 'x' })
    expect([broken.status, body(broken)['code']]).toEqual([500, 'concierge_error'])
    expect(desk.faults.at(-1)).toMatchObject({ stage: 'answer', error: { code: 'invalid_outcome' } })
  })

  it.each([
    ['JSON text in the query', { query: '{"order_id":"ORD-7"}' }],
    ['input', { query: 'Please.', input: { order_id: 'ORD-7' } }],
    ['arguments', { query: 'Please.', arguments: { order_id: 'ORD-7' } }],
  ])('takes structured input as %s', async (_form, form) => {
    const desk = await open()
    const seen = await desk.ask({
      capability: 'order_state',
      ...form,
      context: { accept_types: ['application/data'] },
    })
    expect(member(seen, 'response', 'payload', 'data', 'order_id')).toBe('ORD-7')
  })

  it('R119: refuses input that does not fit, and says where', async () => {
    const desk = await open()
    for (const [input, place] of [
      [{ order_id: 7 }, 'order_id'],
      [{ order_id: 'ORD-x' }, 'order_id'],
      [{}, 'order_id'],
      [{ order_id: 'ORD-1', more: 1 }, 'more'],
    ] as const) {
      const seen = await desk.ask({ ...ORDER, query: 'x', input }, { headers: STAFF })
      expect([seen.status, body(seen)['code']]).toEqual([400, 'invalid_request'])
      expect(body(seen)['message']).toContain(place)
    }
    expect((await desk.ask({ ...ORDER, query: 'Give it back.' }, { headers: STAFF })).status).toBe(400)
    expect(desk.effects).toEqual([])
  })

  it('refuses input that is nested too deeply for any schema, which is no fault of the site', async () => {
    const desk = await open({
      capabilities: {
        search: { description: 'Finds.', mode: 'MODE2', answer: () => ({ answer: 'Here.' }) },
        tree: {
          description: 'Takes a tree.',
          mode: 'MODE3',
          actionType: 'query',
          inputSchema: { type: 'object', properties: { child: { $ref: '#' } } },
          outputSchema: { type: 'object' },
          answer: () => ({ answer: 'Seen.', output: {} }),
        },
      },
    })
    const asked = (depth: number): Promise<Seen> => {
      const input = JSON.parse(`${'{"child":'.repeat(depth)}{}${'}'.repeat(depth)}`) as object
      return desk.ask({ capability: 'tree', query: 'x', input })
    }
    expect((await asked(60)).status).toBe(200)
    expect(await asked(70)).toMatchObject({ status: 400, json: { code: 'invalid_request' } })
    expect(await asked(800)).toMatchObject({ status: 400, json: { code: 'invalid_request' } })
    expect(desk.faults).toEqual([])
  })

  it('R043: may ask what it is for', async () => {
    const desk = await open()
    const silent = await desk.ask({ capability: 'purpose', query: 'x' })
    expect([silent.status, body(silent)['code']]).toEqual([400, 'invalid_request'])
    const told = await desk.ask({ capability: 'purpose', query: 'x', context: { user_intent: 'a present' } })
    expect(member(told, 'response', 'answer')).toBe('For a present.')
  })

  it('asks back first, and acts once when it is answered', async () => {
    const desk = await open()
    const asked = await desk.ask(
      { capability: 'which', query: 'Paint it.', input: { wall: 3 } },
      { headers: READER },
    )
    expect(body(asked)).toMatchObject({
      status: 'clarification_needed',
      clarification: { question: 'Which colour?' },
    })
    const done = await desk.ask(
      {
        capability: 'which',
        query: 'Paint it.',
        session_id: body(asked)['session_id'],
        clarification: 'BLUE',
        context: { accept_types: ['application/action-result'] },
      },
      { headers: READER },
    )
    expect(member(done, 'response', 'answer')).toBe('Painted blue.')
    expect(member(done, 'response', 'payload', 'result')).toEqual({ wall: 3 })
    expect(desk.effects).toHaveLength(1)
  })

  it('is a turn of its session, counted before it begins', async () => {
    const desk = await open({ sessions: { authenticated: { maxTurns: 2 } } })
    const first = await desk.ask(ORDER, { headers: STAFF })
    const session = { ...ORDER, session_id: body(first)['session_id'] }
    const [second, third] = await Promise.all([
      desk.ask(session, { headers: STAFF }),
      desk.ask(session, { headers: STAFF }),
    ])
    expect([second.status, third.status].sort()).toEqual([200, 429])
    expect(desk.effects).toHaveLength(2)
  })

  it('R097 R098: has a stricter limit than questions', async () => {
    const desk = await open({ limits: { authenticated: { action: '1/minute' } } })
    expect((await desk.ask(ORDER, { headers: STAFF })).status).toBe(200)
    expect((await desk.ask(ORDER, { headers: STAFF })).status).toBe(429)
    expect((await desk.ask({ query: 'x' }, { headers: STAFF })).status).toBe(200)
    expect(desk.effects).toHaveLength(1)
  })

  it.each<[string, Outcome]>([
    ['output', { answer: 'x', output: { id: '1', secret: 'kept' } }],
    ['payload', { answer: 'x', payload: { data: { id: '1', secret: 'kept' } } }],
    [
      'payload beside its output',
      { answer: 'x', output: { id: '1' }, payload: { data: { id: '2', secret: 'kept' } } },
    ],
  ])('R115: gives of its %s what the output schema names', async (_what, outcome) => {
    const desk = await open({
      capabilities: {
        search: { description: 'Finds.', mode: 'MODE2', answer: () => ({ answer: 'Here.' }) },
        look: {
          description: 'Looks.',
          mode: 'MODE3',
          actionType: 'query',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object', properties: { id: { type: 'string' } } },
          answer: () => outcome,
        },
      },
    })
    const context = { accept_types: ['application/data'] }
    const seen = await desk.ask({ capability: 'look', query: 'x', context })
    expect(member(seen, 'response', 'payload')).toEqual({ data: { id: '1' } })
  })
})

describe('an idempotency key', () => {
  const key = (value: string, more: Json = {}): Readonly<Record<string, string>> => ({
    ...STAFF,
    'idempotency-key': value,
    ...more,
  })

  it('SE-09: has one effect and one answer, refuses another body, and is forgotten after its time', async () => {
    const store = createMemoryJobStore()
    const desk = await open({ jobs: { store, retentionMs: 60_000 } })
    const first = await desk.ask(ORDER, { headers: key('"k1"') })
    const again = await desk.ask(ORDER, { headers: key('k1') })
    expect(again.text).toBe(first.text)
    expect(desk.effects).toHaveLength(1)
    const other = await desk.ask({ ...ORDER, query: '{"order_id":"ORD-2"}' }, { headers: key('k1') })
    expect([other.status, body(other)['code']]).toEqual([409, 'invalid_request'])
    expect(desk.effects).toHaveLength(1)
    desk.pass(60_001)
    await desk.concierge.runDueJobs()
    expect(await store.find('principal staff k1')).toBeUndefined()
    await desk.ask(ORDER, { headers: key('k1') })
    expect(desk.effects).toHaveLength(2)
  })

  it('is nobody else’s', async () => {
    const desk = await open({ verify: ({ value }) => ({ id: value, scopes: ['staff'] }) })
    await desk.ask(ORDER, { headers: { authorization: 'Bearer a', 'idempotency-key': 'k' } })
    await desk.ask(ORDER, { headers: { authorization: 'Bearer b', 'idempotency-key': 'k' } })
    expect(desk.effects).toHaveLength(2)
  })

  it('holds for requests that come at once', async () => {
    const desk = await open()
    const seen = await Promise.all(Array.from({ length: 8 }, () => desk.ask(ORDER, { headers: key('k') })))
    expect(
      new Set(seen.map(({ json }) => (json as { response: { answer: string } }).response.answer)).size,
    ).toBe(1)
    expect(desk.effects).toHaveLength(1)
  })

  it('costs no further turn of the session', async () => {
    const desk = await open({ sessions: { authenticated: { maxTurns: 2 } } })
    const first = await desk.ask(ORDER, { headers: STAFF })
    const session = { ...ORDER, session_id: body(first)['session_id'] }
    for (let time = 0; time < 3; time++)
      expect((await desk.ask(session, { headers: key('last') })).status).toBe(200)
    expect(desk.effects).toHaveLength(2)
  })

  it.each(['', '"', 'a b', 'x'.repeat(256), '"a"b"'])('must be a key: %j', async (value) => {
    const desk = await open()
    const seen = await desk.ask(ORDER, { headers: key(value) })
    expect(seen.status).toBe(400)
    expect(desk.effects).toEqual([])
  })
})

describe('an answer that comes later', () => {
  it('R077 R078 R079 R081 R082: is accepted, polled while it is pending, and has the form of any success', async () => {
    const desk = await open()
    const arrival = desk.arrival()
    const accepted = await desk.ask({ capability: 'quote', query: 'Ten books.' }, { headers: READER })
    const { session_id: id, poll } = body(accepted)
    expect([accepted.status, body(accepted)]).toEqual([
      200,
      { status: 'accepted', session_id: id, poll: `/agent/converse/status/${String(id)}`, eta_seconds: 90 },
    ])
    const path = String(poll)
    const pending = await desk.visit({ path, headers: READER })
    expect(body(pending)).toEqual({ status: 'pending', session_id: id, eta_seconds: 90 })
    const { turn, open: answer } = await arrival
    turn.reportProgress?.({ text: 'Counting.', etaSeconds: 30 })
    await expect
      .poll(async () => body(await desk.visit({ path, headers: READER })))
      .toEqual({ status: 'pending', session_id: id, progress: 'Counting.', eta_seconds: 30 })
    answer({ answer: 'It is 90.', output: { total: 90 } })
    await expect
      .poll(async () => member(await desk.visit({ path, headers: READER }), 'status'))
      .toBe('success')
    const done = await desk.visit({ path, headers: READER })
    expect(body(done)).toMatchObject({
      status: 'success',
      session_id: id,
      progress: null,
      response: { answer: 'It is 90.' },
      meta: { mode: 'MODE3', capability_used: 'quote', content_type: 'text/answer' },
    })
    expect((await desk.visit({ path, method: 'HEAD', headers: READER })).status).toBe(200)
  })

  it('has an id of its own, also within one session', async () => {
    const desk = await open()
    const first = await desk.ask({ query: 'x' }, { headers: READER })
    const ask = (): Promise<Seen> =>
      desk.ask(
        { capability: 'quote', query: 'x', session_id: body(first)['session_id'] },
        { headers: READER },
      )
    const ids = [body(await ask())['session_id'], body(await ask())['session_id']]
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('R082: fails without a word of the cause', async () => {
    const desk = await open()
    const arrival = desk.arrival()
    const path = String(
      body(await desk.ask({ capability: 'quote', query: 'x' }, { headers: READER }))['poll'],
    )
    ;(await arrival).fail(new Error('password=hunter2'))
    await expect
      .poll(async () => member(await desk.visit({ path, headers: READER }), 'status'))
      .toBe('failed')
    expect((await desk.visit({ path, headers: READER })).text).not.toContain('hunter2')
    expect(desk.faults.at(-1)).toMatchObject({ stage: 'answer', capability: 'quote' })
  })

  it('R082: expires when it was not there in time, and tells whoever works on it', async () => {
    const desk = await open({ jobs: { expireAfterMs: 5_000 } })
    const arrival = desk.arrival()
    const path = String(
      body(await desk.ask({ capability: 'quote', query: 'x' }, { headers: READER }))['poll'],
    )
    const { turn, open: answer } = await arrival
    desk.pass(4_999)
    expect(member(await desk.visit({ path, headers: READER }), 'status')).toBe('pending')
    desk.pass(1)
    expect(member(await desk.visit({ path, headers: READER }), 'status')).toBe('expired')
    await desk.concierge.runDueJobs()
    expect(turn.signal.aborted).toBe(true)
    answer({ answer: 'Too late.', output: {} })
    expect(member(await desk.visit({ path, headers: READER }), 'status')).toBe('expired')
  })

  it('is cancelled by the site', async () => {
    const desk = await open()
    const arrival = desk.arrival()
    const accepted = body(await desk.ask({ capability: 'quote', query: 'x' }, { headers: READER }))
    const id = String(accepted['session_id'])
    const { turn } = await arrival
    expect(await desk.concierge.cancelJob(id, { message: 'Sold out.' })).toBe(true)
    expect(turn.signal.aborted).toBe(true)
    expect(body(await desk.visit({ path: String(accepted['poll']), headers: READER }))).toEqual({
      status: 'failed',
      session_id: id,
      message: 'Sold out.',
    })
    expect(await desk.concierge.cancelJob(id)).toBe(false)
    expect(await desk.concierge.cancelJob('none')).toBe(false)
  })

  it('comes at once when it is there before the visitor has waited long enough, and later when not', async () => {
    const desk = await open()
    const arrival = desk.arrival()
    const asked = desk.ask({ capability: 'study', query: 'x' })
    const { open: answer } = await arrival
    const accepted = body(await asked)
    expect(accepted['status']).toBe('accepted')
    answer({ answer: 'Read.' })
    await expect
      .poll(async () => member(await desk.visit({ path: String(accepted['poll']) }), 'status'))
      .toBe('success')

    const quick = await open({
      capabilities: {
        study: {
          description: '',
          mode: 'MODE2',
          acceptAfterMs: 60_000,
          answer: () => Promise.resolve({ answer: 'Known.' }),
        },
      },
    })
    expect(member(await quick.ask({ capability: 'study', query: 'x' }), 'response', 'answer')).toBe('Known.')
  })

  it('is given to the second who asks with the same key, done or not', async () => {
    const desk = await open()
    const headers = { ...READER, 'idempotency-key': 'once' }
    const arrival = desk.arrival()
    const first = body(await desk.ask({ capability: 'wrap', query: 'x' }, { headers }))
    const again = body(await desk.ask({ capability: 'wrap', query: 'x' }, { headers }))
    expect([first['status'], again['poll']]).toEqual(['accepted', first['poll']])
    ;(await arrival).open({ answer: 'Wrapped.', output: {} })
    await expect
      .poll(async () => member(await desk.ask({ capability: 'wrap', query: 'x' }, { headers }), 'status'))
      .toBe('success')
    expect(desk.waiting).toHaveLength(1)
  })

  it('SE-07: another’s job is as one that is not there, with and without a credential', async () => {
    const desk = await open()
    const { poll } = body(await desk.ask({ capability: 'quote', query: 'x' }, { headers: READER }))
    const foreign = await desk.visit({ path: String(poll), headers: STAFF })
    const missing = await desk.visit({ path: '/agent/converse/status/missing', headers: STAFF })
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    expect((await desk.visit({ path: String(poll) })).text).toBe(missing.text)
    const stranger = body(await desk.ask({ capability: 'study', query: 'x' }, { from: '127.0.0.2' }))
    expect((await desk.visit({ path: String(stranger['poll']), from: '127.0.0.3' })).status).toBe(404)
    expect((await desk.visit({ path: String(stranger['poll']), from: '127.0.0.2' })).status).toBe(200)
  })

  it('stops being kept after its time', async () => {
    const desk = await open({ jobs: { retentionMs: 1_000 } })
    const arrival = desk.arrival()
    const path = String(
      body(await desk.ask({ capability: 'quote', query: 'x' }, { headers: READER }))['poll'],
    )
    ;(await arrival).open({ answer: 'x', output: {} })
    await expect
      .poll(async () => member(await desk.visit({ path, headers: READER }), 'status'))
      .toBe('success')
    desk.pass(1_000)
    await desk.concierge.runDueJobs()
    expect((await desk.visit({ path, headers: READER })).status).toBe(404)
  })

  it('is refused when the caller has too much undone, and when the site has', async () => {
    const desk = await open({ jobs: { maxOpenJobsPerOwner: 1, maxJobs: 2 } })
    const quote = { capability: 'quote', query: 'x' }
    expect((await desk.ask(quote, { headers: READER })).status).toBe(200)
    const second = await desk.ask(quote, { headers: READER })
    expect([second.status, second.headers['retry-after'], body(second)['scope']]).toEqual([
      429,
      '60',
      undefined,
    ])
    expect((await desk.ask(quote, { headers: STAFF })).status).toBe(200)
    expect((await desk.ask({ capability: 'study', query: 'x' })).status).toBe(503)
  })

  it('is not begun for a visitor that left while its session was busy', async () => {
    const desk = await open({ sessions: { authenticated: { maxTurns: 4 } } })
    const first = await desk.ask(ORDER, { headers: STAFF })
    const session = { session_id: body(first)['session_id'] }
    const caller = { address: '127.0.0.1', principal: { id: 'staff', scopes: ['staff'] } }
    const arrival = desk.arrival()
    const slow = desk.concierge.converse({
      request: { capability: 'tell', query: 'slow', ...session },
      caller,
    })
    const reached = await arrival
    const leaving = new AbortController()
    const left = ['tell', 'refund'].map((capability) =>
      desk.concierge.converse({
        request: { ...ORDER, capability, ...session },
        caller,
        signal: leaving.signal,
      }),
    )
    await new Promise(setImmediate)
    leaving.abort(new Error('gone'))
    reached.open({ answer: 'Slowly.' })
    expect((await slow).body).toMatchObject({ status: 'success' })
    for (const one of left) await expect(one).rejects.toThrow('gone')
    expect([desk.waiting.length, desk.effects.length]).toEqual([1, 1])
    const after = [1, 2, 3].map(() => desk.ask({ ...ORDER, ...session }, { headers: STAFF }))
    expect((await Promise.all(after)).map(({ status }) => status).toSorted()).toEqual([200, 200, 429])
  })

  it('is one turn of its session when it is asked for several times at once', async () => {
    const desk = await open({ sessions: { authenticated: { maxTurns: 3 } } })
    const first = await desk.ask(ORDER, { headers: STAFF })
    const request = { ...ORDER, session_id: body(first)['session_id'] }
    const caller = { address: '127.0.0.1', principal: { id: 'staff', scopes: ['staff'] } }
    const asked = { request, caller, idempotencyKey: 'again' }
    const replies = await Promise.all([1, 2, 3].map(() => desk.concierge.converse(asked)))
    expect(new Set(replies.map(({ body: reply }) => JSON.stringify(reply))).size).toBe(1)
    expect(desk.effects).toHaveLength(2)
    const after = [await desk.ask(request, { headers: STAFF }), await desk.ask(request, { headers: STAFF })]
    expect(after.map(({ status }) => status)).toEqual([200, 429])
  })

  it('costs its session no turn where the job could not be kept', async () => {
    const store = createMemoryJobStore()
    let isAway = false
    const add: typeof store.add = (...given) => {
      if (isAway) throw new Error('away')
      return store.add(...given)
    }
    const desk = await open({
      jobs: { store: { ...store, add } },
      sessions: { authenticated: { maxTurns: 2 } },
    })
    const first = await desk.ask(ORDER, { headers: STAFF })
    const again = { ...ORDER, session_id: body(first)['session_id'] }
    isAway = true
    expect((await desk.ask(again, { headers: STAFF })).status).toBe(503)
    isAway = false
    expect((await desk.ask(again, { headers: STAFF })).status).toBe(200)
    expect((await desk.ask(again, { headers: STAFF })).status).toBe(429)
    expect(desk.effects).toHaveLength(2)
  })

  it('goes on when the clock has jumped, as after a machine has slept', async () => {
    const desk = await open()
    const arrivals = [desk.arrival(), desk.arrival()]
    const paths: string[] = []
    for (const query of ['one', 'two'])
      paths.push(String(body(await desk.ask({ capability: 'quote', query }, { headers: READER }))['poll']))
    const [first, second] = await Promise.all(arrivals)
    desk.pass(60_000)
    first?.open({ answer: 'One.', output: {} })
    const answerAt = async (path = ''): Promise<unknown> =>
      member(await desk.visit({ path, headers: READER }), 'response', 'answer')
    await expect.poll(() => answerAt(paths[0])).toBe('One.')
    await desk.concierge.runDueJobs()
    second?.open({ answer: 'Two.', output: {} })
    await expect.poll(() => answerAt(paths[1])).toBe('Two.')
  })

  it('waits for a place, and comes in order', async () => {
    const desk = await open({ jobs: { maxConcurrent: 1 } })
    const arrivals = [desk.arrival(), desk.arrival()]
    const paths: string[] = []
    for (const query of ['one', 'two'])
      paths.push(String(body(await desk.ask({ capability: 'quote', query }, { headers: READER }))['poll']))
    const first = await arrivals[0]
    expect([first?.turn.query, desk.waiting.length]).toEqual(['one', 1])
    first?.open({ answer: 'One.', output: {} })
    const second = await arrivals[1]
    expect(second?.turn.query).toBe('two')
    second?.open({ answer: 'Two.', output: {} })
    await expect
      .poll(async () =>
        member(await desk.visit({ path: paths[1] ?? '', headers: READER }), 'response', 'answer'),
      )
      .toBe('Two.')
  })
})
