import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConciergeConfig } from '../src/server.js'
import type { Outcome } from '../src/outcome.js'
import type { Turn } from '../src/turn.js'
import { type Bookshop, CAPABILITIES, openBookshop, type Seen, type Visit } from './bookshop.js'

/** Holes found in another server, tried on this one from several addresses. `H1` and so on are their names. */

const MANIFEST = '/.well-known/agent.json'
const CONVERSE = '/agent/converse'
const READER = { headers: { authorization: 'Bearer reader-token' } }
const STAFF = { headers: { authorization: 'Bearer staff-token' } }
const ALICE: Visit = { from: '127.0.0.2' }
const BOB: Visit = { from: '127.0.0.3' }
const CAROL: Visit = { from: '127.0.0.4' }
const WIDE = { read: '1000000/minute', ask: '1000000/minute', credential: '1000000/minute' } as const

const opened: Bookshop[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((shop) => shop.close()))
})

async function openShop(overrides: Partial<ConciergeConfig> = {}): Promise<Bookshop> {
  const shop = await openBookshop({
    limits: { unauthenticated: WIDE, authenticated: WIDE_KNOWN },
    ...overrides,
  })
  opened.push(shop)
  return shop
}

const WIDE_KNOWN = { read: WIDE.read, ask: WIDE.ask } as const

/** One capability, `search`, that answers in this way. */
function only(
  answer: (turn: Turn) => Outcome | Promise<Outcome>,
  options: Partial<ConciergeConfig['capabilities'][string]> = {},
): Partial<ConciergeConfig> {
  return { capabilities: { search: { description: 'Searches.', mode: 'MODE2', answer, ...options } } }
}

function idOf({ json }: Seen): string {
  return (json as { readonly session_id: string }).session_id
}

function answerOf({ json }: Seen): string {
  return (json as { readonly response: { readonly answer: string } }).response.answer
}

function isCached({ json }: Seen): boolean {
  return (json as { readonly meta: { readonly cached?: boolean } }).meta.cached === true
}

async function statuses(times: number, ask: (index: number) => Promise<Seen>): Promise<readonly number[]> {
  const seen: number[] = []
  for (let index = 0; index < times; index++) seen.push((await ask(index)).status)
  return seen
}

function times(status: number, seen: readonly number[]): number {
  return seen.filter((one) => one === status).length
}

describe('H1: the answers of one session', () => {
  it('are never given to another, whatever it asks', async () => {
    const shop = await openShop()
    const recall = 'Which mode did I just ask about in this session?'
    const session_id = idOf(await shop.ask({ query: 'SECRET-ALPHA: our merger' }, ALICE))
    const own = await shop.ask({ query: recall, session_id }, ALICE)
    expect(answerOf(own)).toContain('SECRET-ALPHA')
    for (const visitor of [BOB, CAROL, ALICE, { ...BOB, ...READER }]) {
      for (const body of [
        { query: recall },
        { query: ` ${recall}\n` },
        { query: recall, session_id: undefined },
      ]) {
        expect((await shop.ask(body, visitor)).text).not.toContain('SECRET-ALPHA')
      }
    }
  })

  it('are not kept where a history, a reply or a credential took part, nor given to such', async () => {
    const shop = await openShop({ verify: ({ value }) => ({ id: value }) })
    const first = await shop.ask({ query: 'Emma' }, ALICE)
    expect(isCached(first)).toBe(false)
    expect(isCached(await shop.ask({ query: 'Emma' }, BOB))).toBe(true)
    expect(isCached(await shop.ask({ query: 'Emma', session_id: idOf(first) }, ALICE))).toBe(false)
    expect(isCached(await shop.ask({ query: 'Emma' }, { ...BOB, ...READER }))).toBe(false)
    await shop.ask({ query: 'Ulysses' }, { ...BOB, ...READER })
    expect(isCached(await shop.ask({ query: 'Ulysses' }, BOB))).toBe(false)
    const asked = await shop.ask({ query: 'dune' }, ALICE)
    const reply = { query: 'dune', session_id: idOf(asked), clarification: 'film' }
    expect(answerOf(await shop.ask(reply, ALICE))).toContain('film')
    expect((await shop.ask({ query: 'dune' }, BOB)).json).toMatchObject({ status: 'clarification_needed' })
  })
})

describe('H2: an answer that was kept', () => {
  it('is for the whole of its question', async () => {
    const shop = await openShop()
    const prefix = 'x'.repeat(4000)
    expect(answerOf(await shop.ask({ query: `${prefix} for Alice` }, ALICE))).toContain('Alice')
    const other = await shop.ask({ query: `${prefix} for Bob` }, BOB)
    expect(isCached(other)).toBe(false)
    expect(answerOf(other)).toContain('for Bob')
  })

  it('is for all that shaped it', async () => {
    const seen: string[] = []
    const shop = await openShop(
      only(
        ({ contentType, maxTokens, locale, requestingAgent, userIntent }) => {
          const shape = [contentType, maxTokens, locale, requestingAgent, userIntent].join(' ')
          seen.push(shape)
          return { answer: `Made for ${shape}.` }
        },
        { cache: true, responseTypes: ['text/answer', 'x-shop/note'] },
      ),
    )
    const contexts = [
      {},
      { max_tokens: 20 },
      { max_tokens: 21 },
      { locale: 'de' },
      { accept_types: ['x-shop/note'] },
      { requesting_agent: 'Bot' },
      { user_intent: 'to read' },
    ]
    const answers = new Set<string>()
    for (const context of contexts) answers.add(answerOf(await shop.ask({ query: 'q', context }, ALICE)))
    expect(answers.size).toBe(contexts.length)
    for (const context of contexts) {
      const again = await shop.ask({ query: 'q', context }, BOB)
      expect(isCached(again)).toBe(true)
      expect(answers).toContain(answerOf(again))
    }
    expect(seen).toHaveLength(contexts.length)
  })

  it('is not that of a number which JSON cannot write, and would be null in the text of its question', async () => {
    const shop = await openShop(only(({ input }) => ({ answer: String(input?.['n']) }), { cache: true }))
    const asking = (n: string): Visit => ({
      method: 'POST',
      path: CONVERSE,
      body: `{"capability":"search","query":"q","input":{"n":${n}}}`,
    })
    for (const n of ['1e999', '[{"m":-1e999}]']) {
      const refused = await shop.visit({ ...asking(n), ...ALICE })
      expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_request' } })
    }
    expect(answerOf(await shop.visit({ ...asking('null'), ...BOB }))).toBe('null')
    expect(answerOf(await shop.visit({ ...asking('1e308'), ...BOB }))).toBe('1e+308')
  })

  it('is kept as it was, whatever becomes of the lists it was made of', async () => {
    const lists = { suggestedQueries: ['What else?'], toolsUsed: ['lookup'] }
    const shop = await openShop(only(() => ({ answer: 'Yes.', ...lists }), { cache: true }))
    await shop.ask({ query: 'q' }, ALICE)
    lists.suggestedQueries.push('For Alice alone?')
    lists.toolsUsed.push('secrets')
    const { json } = await shop.ask({ query: 'q' }, BOB)
    expect(json).toMatchObject({
      response: { follow_up: { suggested_queries: ['What else?'] } },
      meta: { cached: true, tools_used: ['lookup'] },
    })
  })

  it('cannot be shaped by whose session it is: whoever answers is not told (H1)', async () => {
    const seen: unknown[] = []
    const answer = ({ sessionId, history }: Turn): Outcome => {
      seen.push(sessionId)
      return { answer: `Session ${String(sessionId)} after ${history.length}.` }
    }
    const shop = await openShop(only(answer, { cache: true }))
    const first = await shop.ask({ query: 'q' }, ALICE)
    expect(seen).toEqual([undefined])
    expect(first.text).not.toContain(`Session ${idOf(first)}`)
    expect(isCached(await shop.ask({ query: 'q' }, BOB))).toBe(true)
    const next = await shop.ask({ query: 'q', session_id: idOf(first) }, ALICE)
    expect(answerOf(next)).toBe(`Session ${idOf(first)} after 1.`)
    const member = await shop.ask({ query: 'q' }, { ...BOB, ...READER })
    expect([isCached(member), answerOf(member)]).toEqual([false, `Session ${idOf(member)} after 0.`])
  })

  it('begins a session that goes on from it, of the visitor it was given to', async () => {
    const shop = await openShop()
    const body = '{"capability":"search","query":"Emma"}'
    const visit = { method: 'POST', path: CONVERSE, body }
    await shop.visit({ ...visit, ...ALICE })
    const kept = await shop.visit({ ...visit, ...BOB })
    expect(isCached(kept)).toBe(true)
    const on = { query: 'Who wrote it?', session_id: idOf(kept) }
    expect((await shop.ask(on, ALICE)).status).toBe(400)
    expect(answerOf(await shop.ask(on, BOB))).toContain('Before you asked: Emma.')
    const rest = await statuses(9, () => shop.ask(on, BOB))
    expect([times(200, rest), times(429, rest)]).toEqual([8, 1])
  })

  it('is found by bytes that came before, and those are read anew for whoever sends them', async () => {
    const shop = await openShop({ limits: { unauthenticated: { ask: '3/minute' } } })
    const visit = { method: 'POST', path: CONVERSE, body: '{"capability":"search","query":"Emma"}' }
    const seen = await statuses(4, () => shop.visit({ ...visit, ...ALICE }))
    expect(seen).toEqual([200, 200, 200, 429])
    const guessed = { authorization: 'Bearer wrong' }
    expect((await shop.visit({ ...visit, ...BOB, headers: guessed })).status).toBe(401)
    expect(isCached(await shop.visit({ ...visit, ...BOB, ...READER }))).toBe(false)
    const text = { ...visit, ...BOB, headers: { 'content-type': 'text/plain' } }
    expect((await shop.visit(text)).status).toBe(415)
  })

  it('cannot be changed by whoever gets it in the same process', async () => {
    const shop = await openShop()
    const call = { request: { capability: 'search', query: 'Emma' }, caller: { address: '192.0.2.1' } }
    await shop.concierge.converse(call)
    const { body } = await shop.concierge.converse(call)
    if (body.status !== 'success') throw new Error(body.status)
    const { response, meta } = body
    expect(() => {
      Object.assign(response, { answer: 'poison' })
    }).toThrow(TypeError)
    expect(Object.isFrozen(response.sources) && Object.isFrozen(meta)).toBe(true)
    call.request.query = 'Ulysses'
    const other = await shop.concierge.converse(call)
    expect(JSON.stringify(other.body)).toContain('Ulysses')
  })

  it('never carries the session of the visitor it was made for', async () => {
    const shop = await openShop()
    const ids = [ALICE, BOB, CAROL].map(async (visitor) => idOf(await shop.ask({ query: 'Emma' }, visitor)))
    expect(new Set(await Promise.all(ids)).size).toBe(3)
  })
})

describe('H7: names that every object has', () => {
  const NAMES = [
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
  ]

  it.each(NAMES)('%s is no capability, session or type', async (name) => {
    const shop = await openShop()
    const { status, json, text } = await shop.ask({ capability: name, query: 'q' })
    expect(status).toBe(400)
    expect(json).toMatchObject({ code: 'unknown_capability' })
    expect((json as { available_capabilities: string[] }).available_capabilities.toSorted()).toEqual(
      Object.keys(CAPABILITIES).toSorted(),
    )
    expect(text).not.toMatch(/native code|function|\[object/)
    expect(await shop.ask({ query: 'q', session_id: name })).toMatchObject({ status: 400 })
    expect((await shop.ask({ query: 'q', context: { accept_types: [name] } })).status).toBe(400)
    expect(shop.faults).toEqual([])
  })

  it('members of a prototype in a body are no members', async () => {
    const shop = await openShop()
    for (const body of [
      '{"__proto__":{"capability":"search","query":"q"}}',
      '{"capability":"search","__proto__":{"query":"q"}}',
      '{"constructor":{"prototype":{"query":"q"}},"capability":"search"}',
    ]) {
      const seen = await shop.visit({ method: 'POST', path: CONVERSE, body })
      expect(seen).toMatchObject({ status: 400, json: { code: 'missing_field' } })
    }
    expect(Object.hasOwn(Object.prototype, 'query')).toBe(false)
  })
})

describe('H8, H9: the id of a session', () => {
  it('is worth nothing to another address, and its use leaves no trace', async () => {
    const shop = await openShop()
    const session_id = idOf(await shop.ask({ query: 'my orders' }, ALICE))
    const madeUp = await shop.ask({ query: 'what did I ask?', session_id: '0'.repeat(32) }, BOB)
    for (let attempt = 0; attempt < 12; attempt++) {
      const stolen = await shop.ask({ query: 'what did I ask?', session_id }, BOB)
      expect([stolen.status, stolen.text]).toEqual([400, madeUp.text])
    }
    expect((await shop.visit({ path: `${CONVERSE}/status/${session_id}`, ...BOB })).status).toBe(404)
    for (let turn = 2; turn <= 10; turn++) {
      const next = await shop.ask({ query: 'and then?', session_id }, ALICE)
      expect(next.status).toBe(200)
      expect(next.text).not.toContain('what did I ask?')
    }
  })

  it('is worth nothing without the credential it was opened with, or with another', async () => {
    const shop = await openShop()
    const session_id = idOf(await shop.ask({ capability: 'orders', query: 'mine' }, { ...ALICE, ...READER }))
    for (const thief of [ALICE, { ...ALICE, ...STAFF }, { ...BOB, ...STAFF }]) {
      expect((await shop.ask({ query: 'whose?', session_id }, thief)).status).toBe(400)
    }
    expect((await shop.ask({ query: 'on', session_id }, { ...BOB, ...READER })).status).toBe(200)
  })

  it('that was planted gives the planter nothing', async () => {
    const shop = await openShop()
    const session_id = idOf(await shop.ask({ query: 'bait' }, ALICE))
    expect((await shop.ask({ query: 'VICTIM-WORDS', session_id }, BOB)).status).toBe(400)
    expect((await shop.ask({ query: 'VICTIM-WORDS', session_id }, { ...ALICE, ...READER })).status).toBe(400)
    expect((await shop.ask({ query: 'what was said?', session_id }, ALICE)).text).not.toContain(
      'VICTIM-WORDS',
    )
  })

  it('is never one that a visitor chose', async () => {
    const shop = await openShop()
    for (const session_id of ['my-own-id', 'f'.repeat(32), '00000000-0000-4000-8000-000000000000']) {
      for (let attempt = 0; attempt < 2; attempt++) {
        const seen = await shop.ask({ query: 'q', session_id })
        expect(seen).toMatchObject({ status: 400, json: { code: 'invalid_request' } })
        expect(seen.json).not.toHaveProperty('session_id')
      }
    }
  })
})

describe('H8: a visitor whose address nobody tells', () => {
  const asked = async (
    shop: Bookshop,
    agent: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly json: unknown }> => {
    const request = new Request(`https://books.test${CONVERSE}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent, ...headers },
      body: JSON.stringify({ capability: 'search', ...body }),
    })
    const response = await shop.concierge.handleRequest(request)
    return { status: response.status, json: await response.json() }
  }

  it('goes on with its own session, and not with that of another program or of a member', async () => {
    const shop = await openShop()
    const session_id = idOf((await asked(shop, 'Bot/1', { query: 'SECRET-ALPHA' })) as Seen)
    const on = { query: 'on', session_id }
    for (const [agent, headers] of [
      ['Bot/2', {}],
      ['', {}],
      ['Bot/1', READER.headers],
    ] as const)
      expect(await asked(shop, agent, on, headers)).toMatchObject({ status: 400 })
    expect(JSON.stringify(await asked(shop, 'Bot/1', on))).toContain('SECRET-ALPHA')
    expect((await shop.ask(on, { headers: { 'user-agent': 'Bot/1' } })).status).toBe(400)
  })

  it('evades no limit by another name', async () => {
    const shop = await openShop({ limits: { unauthenticated: { ask: '2/minute' } } })
    const seen = []
    for (let index = 0; index < 4; index++)
      seen.push((await asked(shop, `Bot/${index}`, { query: 'q' })).status)
    expect(seen).toEqual([200, 200, 429, 429])
  })
})

describe('H10: members of another type', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['a query of content blocks', { query: [{ type: 'tool_result', content: 'obey' }] }],
    ['a query that is a number', { query: 7 }],
    ['a query that is an object', { query: { role: 'system' } }],
    ['a capability that is a list', { capability: ['search'], query: 'q' }],
    ['a capability that is an object', { capability: { toString: 'search' }, query: 'q' }],
    ['negative tokens', { query: 'q', context: { max_tokens: -1 } }],
    ['no tokens', { query: 'q', context: { max_tokens: 0 } }],
    ['tokens as text', { query: 'q', context: { max_tokens: '100' } }],
    ['half a token', { query: 'q', context: { max_tokens: 1.5 } }],
    ['endless tokens', { query: 'q', context: { max_tokens: 1e308 } }],
    ['a context that is a list', { query: 'q', context: [] }],
    ['a context that is text', { query: 'q', context: 'system' }],
    ['types that are text', { query: 'q', context: { accept_types: 'text/answer' } }],
    ['types that are lists', { query: 'q', context: { accept_types: [['text/answer']] } }],
    ['a session that is a number', { query: 'q', session_id: 1 }],
    ['a session that is a list', { query: 'q', session_id: ['a'] }],
    ['a session that is too long', { query: 'q', session_id: 'a'.repeat(129) }],
    ['a reply that is an object', { query: 'q', clarification: { reply: 'a' } }],
    ['an agent that is an object', { query: 'q', context: { requesting_agent: {} } }],
    ['a query that is too long', { query: 'q'.repeat(4097) }],
  ])('%s is refused before anything runs', async (_name, body) => {
    let asked = 0
    const shop = await openShop(
      only(() => {
        asked++
        return { answer: 'a' }
      }),
    )
    expect(await shop.ask(body)).toMatchObject({ status: 400, json: { status: 'error' } })
    expect([asked, shop.faults]).toEqual([0, []])
  })

  it('a context that is null is none', async () => {
    const shop = await openShop()
    expect((await shop.ask({ query: 'q', context: null })).status).toBe(200)
  })

  it('no JSON at all brings it to a fault', async () => {
    const shop = await openShop()
    const odd = fc.jsonValue({ maxDepth: 3 })
    const bodies = fc.oneof(
      odd,
      fc.record(
        {
          capability: fc.oneof(fc.constantFrom('search', 'reviews', 'long'), odd),
          query: fc.oneof(fc.string(), odd),
          session_id: odd,
          clarification: odd,
          context: fc.oneof(
            odd,
            fc.record(
              { max_tokens: odd, accept_types: odd, locale: odd, requesting_agent: odd, callback_url: odd },
              { requiredKeys: [] },
            ),
          ),
        },
        { requiredKeys: [] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const seen = await shop.visit({ method: 'POST', path: CONVERSE, body: JSON.stringify(body) })
        expect([200, 400, 413]).toContain(seen.status)
      }),
      { numRuns: 200 },
    )
    expect(shop.faults).toEqual([])
  })
})

describe('H12: another way in, in the same process', () => {
  it('counts for whoever asks through it, not for the server', async () => {
    const shop = await openShop({ limits: { unauthenticated: { ask: '3/minute' } } })
    const call = (address: string): Promise<{ readonly status: number }> =>
      shop.concierge.converse({ request: { capability: 'search', query: 'q' }, caller: { address } })
    for (let client = 2; client <= 36; client++) expect((await call(`127.0.0.${client}`)).status).toBe(200)
    expect((await call('127.0.0.99')).status).toBe(200)
    expect((await call('127.0.0.1')).status).toBe(200)
    const [one, two, three] = [await call('127.0.0.2'), await call('127.0.0.2'), await call('127.0.0.2')]
    expect([one.status, two.status, three.status]).toEqual([200, 200, 429])
    expect((await shop.ask({ query: 'q' }, ALICE)).status).toBe(429)
    expect((await shop.ask({ query: 'q' }, BOB)).status).toBe(200)
  })

  it('opens sessions that belong to whoever asks through it', async () => {
    const shop = await openShop()
    const request = { capability: 'search', query: 'SECRET-ALPHA' }
    const { body } = await shop.concierge.converse({ request, caller: { address: '127.0.0.2' } })
    const session_id = idOf({ json: body } as Seen)
    expect((await shop.ask({ query: 'q', session_id }, BOB)).status).toBe(400)
    expect((await shop.ask({ query: 'q', session_id }, ALICE)).status).toBe(200)
  })
})

describe('H13: X-Forwarded-For', () => {
  const from = (forwarded: string, visit: Visit = {}): Visit => ({
    ...visit,
    headers: { 'x-forwarded-for': forwarded },
  })
  const limits = { unauthenticated: { ask: '3/minute' } } as const

  it('is a mere claim where no proxy is trusted', async () => {
    const shop = await openShop({ limits })
    const seen = await statuses(6, (index) => shop.ask({ query: 'q' }, from(`198.51.100.${index}`, ALICE)))
    expect(seen).toEqual([200, 200, 200, 429, 429, 429])
    const session_id = idOf(await shop.ask({ query: 'mine' }, BOB))
    expect((await shop.ask({ query: 'q', session_id }, from('127.0.0.3', CAROL))).status).toBe(400)
  })

  it('tells clients apart behind a proxy that is trusted, and only there', async () => {
    const shop = await openShop({ limits, trustedProxies: ['127.0.0.1'] })
    for (let client = 0; client < 10; client++) {
      expect((await shop.ask({ query: 'q' }, from(`198.51.100.${client}`))).status).toBe(200)
    }
    const past = await statuses(6, (index) => shop.ask({ query: 'q' }, from(`6.6.6.${index}, 203.0.113.1`)))
    expect(past).toEqual([200, 200, 200, 429, 429, 429])
    const around = await statuses(4, (index) => shop.ask({ query: 'q' }, from(`198.51.100.9${index}`, ALICE)))
    expect(around).toEqual([200, 200, 200, 429])
    const junk = await statuses(4, (index) => shop.ask({ query: 'q' }, from(`junk ${index}`)))
    expect(junk).toEqual([200, 200, 200, 429])
  })

  it('moves no limit by X-Real-IP, Forwarded or a second field', async () => {
    const shop = await openShop({ limits, trustedProxies: ['127.0.0.1'] })
    const seen = await statuses(4, (index) =>
      shop.ask(
        { query: 'q' },
        {
          headers: {
            'x-real-ip': `198.51.100.${index}`,
            forwarded: `for=198.51.100.${index}`,
            'x-forwarded-for': '203.0.113.1',
          },
        },
      ),
    )
    expect(seen).toEqual([200, 200, 200, 429])
  })
})

describe('H18: what visitors make it keep', () => {
  it('is so many sessions', async () => {
    const shop = await openShop({ sessions: { maxSessions: 20 } })
    const ids: string[] = []
    for (let index = 0; index < 60; index++) ids.push(idOf(await shop.ask({ query: `q${index}` }, ALICE)))
    const alive = await statuses(60, (index) => shop.ask({ query: 'on', session_id: ids[index] }, ALICE))
    expect([times(400, alive), times(200, alive)]).toEqual([40, 20])
  })

  it('is so many bytes of answers', async () => {
    const shop = await openShop({ cache: { maxBytes: 5_000 } })
    for (let index = 0; index < 40; index++) await shop.ask({ query: `q${index}` }, ALICE)
    expect(isCached(await shop.ask({ query: 'q0' }, ALICE))).toBe(false)
    expect(isCached(await shop.ask({ query: 'q39' }, ALICE))).toBe(true)
  })

  it('is so many counts, and a flood of addresses frees nobody who is refused', async () => {
    const shop = await openShop({ limits: { unauthenticated: { ask: '1/minute' }, maxKeys: 10 } })
    expect((await shop.ask({ query: 'q' }, ALICE)).status).toBe(200)
    for (let index = 0; index < 40; index++) {
      await shop.ask({ query: 'q' }, { from: `127.0.1.${index + 1}` })
      expect((await shop.ask({ query: 'q' }, ALICE)).status).toBe(429)
    }
  })

  it('is so many answers at once, whoever waits for them', async () => {
    let finish: (outcome: Outcome) => void = () => undefined
    const waiting = new Promise<Outcome>((resolve) => (finish = resolve))
    const shop = await openShop({ ...only(() => waiting), maxConcurrentAnswers: 2 })
    const first = [ALICE, BOB].map((visitor) => shop.ask({ query: 'q' }, visitor))
    const refused = await shop.ask({ query: 'q' }, CAROL)
    expect(refused).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect((await shop.visit({ path: MANIFEST, ...CAROL })).status).toBe(200)
    finish({ answer: 'done' })
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
  })

  it.each([
    ['a question of a length that is told', `POST ${CONVERSE}`, 'content-length: 99999999999', '413'],
    ['a question in chunks', `POST ${CONVERSE}`, 'transfer-encoding: chunked', '413'],
    ['a body that nobody asked for', 'GET /llms.txt', 'content-length: 99999999999', '200'],
  ])('is no body without an end: %s', async (_, request, length, status) => {
    const { server } = await openShop({ content: '# Shop' })
    const socket = connect(server.port, '127.0.0.1')
    let answer = ''
    socket.on('data', (bytes) => (answer += bytes.toString()))
    socket.on('error', () => undefined)
    socket.write(`${request} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${length}\r\n\r\n`)
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
    let sent = 0
    while (!socket.destroyed && sent < 100_000_000) {
      sent += piece.length
      await new Promise((resolve) => socket.write(piece, resolve))
    }
    expect(answer).toContain(`HTTP/1.1 ${status} `)
    expect(sent).toBeLessThan(50_000_000)
  })

  it('is limited at every endpoint', async () => {
    const shop = await openShop({ limits: { unauthenticated: { read: '10/minute' } } })
    const paths = [MANIFEST, '/llms.txt', `${CONVERSE}/status/x`]
    const seen = await statuses(12, (index) => shop.visit({ path: paths[index % 3] ?? '', ...ALICE }))
    expect([times(429, seen), seen.slice(10)]).toEqual([2, [429, 429]])
    const tooLarge: Visit = { method: 'POST', path: CONVERSE, body: 'x'.repeat(9000), ...BOB }
    const large = await statuses(12, () => shop.visit(tooLarge))
    expect([times(413, large), times(429, large)]).toEqual([10, 2])
    expect((await shop.ask({ query: 'q' }, BOB)).headers).toMatchObject({ 'x-ratelimit-remaining': '29' })
  })
})

describe('H21: a turn that fails', () => {
  it('is no turn, and is not remembered', async () => {
    const shop = await openShop(
      only(({ query, history }) => {
        if (query === 'fail') throw new Error('the model is gone')
        return { answer: `After ${history.map((past) => past.query).join(', ') || 'nothing'}.` }
      }),
    )
    const session_id = idOf(await shop.ask({ query: 'one' }))
    expect(await statuses(15, () => shop.ask({ query: 'fail', session_id }))).toEqual(Array(15).fill(500))
    expect(answerOf(await shop.ask({ query: 'two', session_id }))).toBe('After one.')
    const rest = await statuses(9, () => shop.ask({ query: 'more', session_id }))
    expect([times(200, rest), times(429, rest)]).toEqual([8, 1])
  })

  it('is none either when nobody waits for the answer any more', async () => {
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    let leave = (): void => undefined
    const left = new Promise<void>((resolve) => (leave = resolve))
    const shop = await openShop(
      only(({ query, history, signal }) => {
        if (query !== 'slow') return { answer: `After ${history.map((past) => past.query).join(', ')}.` }
        signal.addEventListener('abort', leave)
        begin()
        return left.then(() => ({ answer: 'too late' }))
      }),
    )
    const session_id = idOf(await shop.ask({ query: 'one' }))
    const request = httpRequest({
      host: '127.0.0.1',
      port: shop.server.port,
      method: 'POST',
      path: CONVERSE,
      headers: { 'content-type': 'application/json' },
    })
    request.on('error', () => undefined)
    request.end(JSON.stringify({ capability: 'search', query: 'slow', session_id }))
    await begun
    request.destroy()
    await left
    expect(answerOf(await shop.ask({ query: 'two', session_id }))).toBe('After one.')
    expect(shop.faults).toEqual([])
  })

  it('does not interleave with others: parallel turns come in order, and there is no eleventh', async () => {
    let running = 0
    const shop = await openShop(
      only(async ({ history }) => {
        expect(++running).toBe(1)
        await new Promise(setImmediate)
        running--
        return { answer: String(history.length) }
      }),
    )
    const session_id = idOf(await shop.ask({ query: 'first' }))
    const seen = await Promise.all(Array.from({ length: 15 }, () => shop.ask({ query: 'next', session_id })))
    const answered = seen.filter(({ status }) => status === 200)
    expect(answered.map(answerOf).toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    const refused = seen.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(6)
    for (const { json, headers } of refused) {
      expect(json).toMatchObject({ code: 'rate_limited', scope: 'session', retry_after: null })
      expect(headers['retry-after']).toBe('1')
    }
    expect(shop.faults).toEqual([])
  })
})

describe('H22: what is declared', () => {
  const CALLERS = [
    ['unauthenticated', ALICE],
    ['authenticated', { ...BOB, ...READER }],
  ] as const

  it.each([
    {},
    { unauthenticated: { ask: '4/minute' }, authenticated: { ask: '9/minute' } },
    { unauthenticated: { ask: '8/hour' }, agent: '5/hour', authenticated: { ask: '3/day' } },
    { unauthenticated: { ask: '5/hour' }, agent: '8/hour' },
  ] as const)('of requests is what is enforced: %j', async (limits) => {
    const shop = await openShop({ limits })
    for (const [who, visit] of CALLERS) {
      const { requests = '' } = shop.concierge.manifest.rate_limits?.[who] ?? {}
      const declared = Number.parseInt(requests)
      expect(declared).toBeGreaterThan(0)
      const context = { requesting_agent: 'Bot' }
      const seen = await statuses(declared + 2, () => shop.ask({ query: 'q', context }, visit))
      expect([times(200, seen), times(429, seen)]).toEqual([declared, 2])
    }
  })

  it.each([
    [{ tokenBudget: 1_300, authenticated: { tokenBudget: 1_900 } }, 3, 4],
    [{ tokenBudget: 600, authenticated: { tokenBudget: 601 } }, 1, 2],
  ] as const)('of tokens is what is enforced: %j', async (sessions, anonymous, known) => {
    const shop = await openShop({ sessions })
    for (const [who, visit] of CALLERS) {
      const turns = who === 'authenticated' ? known : anonymous
      const { token_budget = '' } = shop.concierge.manifest.rate_limits?.[who] ?? {}
      expect(Math.ceil(Number.parseInt(token_budget) / 600)).toBe(turns)
      const first = await shop.ask({ capability: 'costly', query: 'q' }, visit)
      const body = { capability: 'costly', query: 'q', session_id: idOf(first) }
      const seen = await statuses(turns, () => shop.ask(body, visit))
      expect(seen).toEqual([...Array<number>(turns - 1).fill(200), 429])
      const { json } = await shop.ask(body, visit)
      expect(json).toMatchObject({ scope: 'session_tokens', retry_after: null })
    }
  })

  it('of an agent cannot be used against others, nor be evaded by another name', async () => {
    const shop = await openShop({ limits: { unauthenticated: { ask: '4/minute' }, agent: '2/minute' } })
    const named = (requesting_agent: string, visitor: Visit): Promise<Seen> =>
      shop.ask({ query: 'q', context: { requesting_agent } }, visitor)
    expect(await statuses(3, () => named('Bot', ALICE))).toEqual([200, 200, 429])
    expect((await named('Bot', ALICE)).json).toMatchObject({ scope: 'agent' })
    expect((await named('Bot', ALICE)).json).toMatchObject({ scope: 'ip' })
    expect(await statuses(3, () => named('Bot', BOB))).toEqual([200, 200, 429])
    expect(await statuses(6, (index) => named(`Bot ${index}`, CAROL))).toEqual([200, 200, 200, 200, 429, 429])
  })
})

describe('a credential', () => {
  it('cannot be guessed: after ten that are wrong no other is looked at, and strangers go on', async () => {
    let looked = 0
    const shop = await openShop({
      limits: {},
      verify({ value }) {
        looked++
        return value === 'right' ? { id: 'reader' } : null
      },
    })
    const tried = (token: string, from: Visit): Promise<Seen> =>
      shop.ask({ query: 'q' }, { ...from, headers: { authorization: `Bearer ${token}` } })
    const seen = await statuses(15, (index) => tried(`guess-${index}`, ALICE))
    expect([times(401, seen), times(429, seen)]).toEqual([10, 5])
    expect((await tried('right', ALICE)).status).toBe(429)
    expect(looked).toBe(10)
    expect((await tried('right', BOB)).status).toBe(200)
    expect((await shop.ask({ query: 'q' }, ALICE)).status).toBe(200)
  })
})
