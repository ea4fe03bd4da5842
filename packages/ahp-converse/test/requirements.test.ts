import { checkManifestSemantics, type Manifest, withAhpDiscovery } from '@doorplate/ahp-manifest'
import { validatePayload } from '@doorplate/ahp-manifest/messages'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ConciergeConfig } from '../src/server.js'
import { type Bookshop, CAPABILITIES, openBookshop, PAYLOADS, type Seen } from './bookshop.js'

/** Every requirement of MODE1 and MODE2 on a site that can be seen from outside, by its number in the draft. */

const MANIFEST = '/.well-known/agent.json'
const CONVERSE = '/agent/converse'
const AGENT_JSON = { accept: 'application/agent+json' }
const READER = { authorization: 'Bearer reader-token' }
const STAFF = { authorization: 'Bearer staff-token' }

const opened: Bookshop[] = []
let shop: Bookshop

beforeAll(async () => {
  shop = await openBookshop({ limits: { unauthenticated: { read: '100000/minute', ask: '100000/minute' } } })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((other) => other.close()))
})
afterAll(() => shop.close())

function requirement(ids: string, title: string, test: () => Promise<void>): void {
  it(`${ids}: ${title}`, test)
}

/** A shop of its own for one test, closed after it. */
async function openShop(overrides: Partial<ConciergeConfig>): Promise<Bookshop> {
  const other = await openBookshop(overrides)
  opened.push(other)
  return other
}

async function served(): Promise<Manifest> {
  return (await shop.visit({ path: MANIFEST })).json as Manifest
}

function member(seen: Seen, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    seen.json,
  )
}

describe('discovery', () => {
  requirement(
    'R001 R007 R008 R009 R011 R012',
    'a hidden notice is in the HTML of pages and error pages',
    async () => {
      for (const path of ['/', '/missing']) {
        const { text, headers } = await shop.visit({ path })
        expect(text).toMatch(
          /<body>.*<section class="ahp-notice" aria-label="AI Agent Notice"[^>]* style="display:none">/s,
        )
        expect(headers['link']).toContain('ahp-manifest')
      }
      expect((await shop.visit({ path: MANIFEST })).status).toBe(200)
    },
  )

  requirement('R002 R003 R004', 'the manifest is at its place, as JSON, and valid', async () => {
    const { status, headers, json } = await shop.visit({ path: MANIFEST })
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(json).toEqual(shop.concierge.manifest)
    expect(checkManifestSemantics(json)).toEqual([])
  })

  requirement('R005 R006', 'every response leads to the manifest', async () => {
    const one = await openShop({ limits: { unauthenticated: { ask: '1/minute' } } })
    const responses = [
      await one.ask({ query: 'Emma' }),
      await one.ask({ query: 'Emma' }),
      await one.ask({ query: 'Emma', capability: 'orders' }),
      await one.ask({ query: '' }),
      await one.visit({ method: 'DELETE', path: MANIFEST }),
      await one.visit({ method: 'OPTIONS', path: CONVERSE }),
      await one.ask({ query: 'x'.repeat(9000) }),
      await one.visit({ path: `${CONVERSE}/status/none` }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 429, 429, 400, 405, 204, 413, 404])
    for (const { headers } of responses)
      expect(headers['link']).toMatch(
        /^<\/\.well-known\/agent\.json>; rel="ahp-manifest agent-manifest"; type="application\/agent\+json"/,
      )
  })

  requirement(
    'R013 R014',
    'GET and HEAD are negotiated by Accept where there is something to negotiate',
    async () => {
      const found = await shop.visit({ path: '/llms.txt', headers: AGENT_JSON })
      expect(found.json).toEqual(shop.concierge.manifest)
      expect(found.headers.vary).toContain('Accept')
      const head = await shop.visit({ method: 'HEAD', path: '/llms.txt', headers: AGENT_JSON })
      expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'application/json', ''])
      for (const accept of ['*/*', 'application/agent+json;q=0', 'text/html']) {
        const { headers } = await shop.visit({ path: '/llms.txt', headers: { accept } })
        expect(headers['content-type'], accept).toMatch(/^text\/markdown/)
        expect(headers.vary).toContain('Accept')
      }
      const posted = await shop.ask({ query: 'Emma' }, { headers: AGENT_JSON })
      expect(member(posted, 'status')).toBe('success')
      expect((await shop.visit({ path: `${CONVERSE}/status/none`, headers: AGENT_JSON })).status).toBe(404)
    },
  )

  it('the same site behind a Fetch handler', async () => {
    const site = withAhpDiscovery((request) => shop.concierge.handleRequest(request), shop.concierge.manifest)
    const response = await site(new Request('https://books.test/llms.txt', { headers: AGENT_JSON }))
    expect(await response.json()).toEqual(shop.concierge.manifest)
    const { headers } = await site(new Request('https://books.test/llms.txt'))
    expect(headers.get('link')?.match(/ahp-manifest/g)).toHaveLength(1)
  })
})

describe('manifest', () => {
  requirement('R017 R018 R019 R069', 'version, modes and all four signals', async () => {
    expect(await served()).toMatchObject({
      ahp: '0.1',
      modes: ['MODE1', 'MODE2'],
      content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    })
  })

  requirement('R020 R021 R034', 'the capabilities with their types and their fallback', async () => {
    const { capabilities = [] } = await served()
    expect(capabilities.map(({ name }) => name)).toEqual(Object.keys(CAPABILITIES))
    expect(capabilities.find(({ name }) => name === 'trailer')).toMatchObject({
      mode: 'MODE2',
      response_types: ['media/video'],
      accept_fallback: true,
    })
  })

  requirement('R022', 'each integration has its URL', async () => {
    const { concierge } = await openShop({ integrations: { mcp: { url: '/mcp' } } })
    expect(concierge.manifest.integrations).toEqual({ mcp: { url: '/mcp' } })
    expect(concierge.manifest.links).toEqual({ mcp: 'https://books.test/mcp' })
  })

  requirement(
    'R029 R030 R032 R033 R110',
    'MODE1 is served: content for agents that know nothing else',
    async () => {
      const { modes, endpoints } = await served()
      expect(modes[0]).toBe('MODE1')
      const { status, text, headers } = await shop.visit({ path: endpoints?.content ?? '' })
      expect([status, text.startsWith('# The Book Shelf')]).toEqual([200, true])
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    },
  )

  requirement('R094 R105', 'the limits are declared, and those are enforced', async () => {
    const other = await openShop({
      limits: { unauthenticated: { ask: '2/hour' }, authenticated: { ask: '3/hour' } },
      sessions: { tokenBudget: 500 },
    })
    expect(other.concierge.manifest.rate_limits).toEqual({
      unauthenticated: { requests: '2/hour', token_budget: '500/session' },
      authenticated: { requests: '3/hour', token_budget: '100000/session' },
    })
    const statuses = async (headers: Readonly<Record<string, string>>): Promise<number[]> => {
      const seen: number[] = []
      for (let i = 0; i < 4; i++) seen.push((await other.ask({ query: 'Emma' }, { headers })).status)
      return seen
    }
    expect(await statuses({})).toEqual([200, 200, 429, 429])
    expect(await statuses(READER)).toEqual([200, 200, 200, 429])
  })
})

describe('converse', () => {
  requirement('R035 R036', 'a question alone is answered at the declared path', async () => {
    const other = await openShop({ paths: { converse: '/ask' } })
    expect(other.concierge.manifest.endpoints?.converse).toBe('/ask')
    const { status, json } = await other.ask({ query: 'Emma' })
    expect([status, json]).toEqual([
      200,
      {
        status: 'success',
        session_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        progress: null,
        response: {
          content_type: 'text/answer',
          answer: 'There is a review of Emma.',
          sources: [{ title: 'Reviews', url: '/reviews', relevance: 'direct' }],
          follow_up: { suggested_queries: ['Who wrote it?'] },
        },
        meta: {
          tokens_used: 7,
          capability_used: 'search',
          mode: 'MODE2',
          cached: false,
          content_type: 'text/answer',
          content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
        },
      },
    ])
    expect((await other.visit({ method: 'POST', path: CONVERSE, body: {} })).status).toBe(404)
  })

  requirement('R037 R047', 'a session remembers its turns', async () => {
    const first = await shop.ask({ query: 'Persuasion' })
    const second = await shop.ask({ query: 'Middlemarch', session_id: member(first, 'session_id') })
    expect(member(second, 'session_id')).toBe(member(first, 'session_id'))
    expect(member(second, 'response', 'answer')).toContain('Before you asked: Persuasion.')
    expect(member(await shop.ask({ query: 'Emma', session_id: null }), 'status')).toBe('success')
  })

  requirement('R045 R046 R086', 'a missing capability or query is named', async () => {
    for (const body of [
      { capability: undefined, query: 'x' },
      { capability: '', query: 'x' },
      {},
      { query: '' },
      { query: null },
    ])
      expect(await shop.ask(body)).toMatchObject({ status: 400, json: { code: 'missing_field' } })
  })

  requirement('R048 R049', 'a context is read; without accepted types the answer is text', async () => {
    expect(member(await shop.ask({ capability: 'reviews', query: 'x' }), 'response', 'content_type')).toBe(
      'text/answer',
    )
    expect(member(await shop.ask({ query: 'x', context: null }), 'status')).toBe('success')
    const context = { requesting_agent: 'bot/1.0', user_intent: 'research', locale: 'en', accept_types: [] }
    expect(member(await shop.ask({ query: 'x', context }), 'status')).toBe('success')
    expect(member(await shop.ask({ capability: 'contact', query: 'x' }), 'response', 'content_type')).toBe(
      'application/data',
    )
  })

  requirement('R112', 'members of a later version are ignored, and so is its number', async () => {
    const later = { ahp: '0.9', query: 'Emma', priority: 3, context: { mood: 'good' } }
    expect(await shop.ask(later)).toMatchObject({ status: 200, json: { status: 'success' } })
  })

  requirement('R057 R089', 'a body of more than 8 KB is refused, declared or not', async () => {
    const body = JSON.stringify({ capability: 'search', query: 'Emma', padding: 'x'.repeat(8192) })
    const refusal = { status: 413, json: { code: 'request_too_large' } }
    expect(await shop.visit({ method: 'POST', path: CONVERSE, body })).toMatchObject(refusal)
    const chunked = { method: 'POST', path: CONVERSE, body, headers: { 'transfer-encoding': 'chunked' } }
    expect(await shop.visit(chunked)).toMatchObject(refusal)
    const exact = JSON.stringify({ capability: 'search', query: 'Emma' }).padEnd(8192, ' ')
    expect((await shop.visit({ method: 'POST', path: CONVERSE, body: exact })).status).toBe(200)
  })
})

describe('questions back', () => {
  requirement('R050 R052', 'what is ambiguous is asked back, and the reply answered', async () => {
    const asked = await shop.ask({ query: 'dune' })
    const clarification = { question: 'The novel or the film?', options: ['novel', 'film'], free_form: true }
    expect(asked).toMatchObject({
      status: 200,
      json: { status: 'clarification_needed', clarification, response: { clarification } },
    })
    const reply = { query: 'dune', session_id: member(asked, 'session_id'), clarification: 'Film' }
    expect(member(await shop.ask(reply), 'response', 'answer')).toBe('There is a review of dune (film).')
    expect(await shop.ask(reply)).toMatchObject({ status: 400, json: { code: 'invalid_request' } })
    expect((await shop.ask({ query: 'dune', clarification: 'film' })).status).toBe(400)
  })

  requirement('R051', 'a question without options has null, and takes any reply', async () => {
    const asked = await shop.ask({ capability: 'question_only', query: 'x' })
    expect(member(asked, 'clarification', 'options')).toBeNull()
    const reply = {
      capability: 'question_only',
      query: 'x',
      session_id: member(asked, 'session_id'),
      clarification: 'Le Guin',
    }
    expect(member(await shop.ask(reply), 'response', 'answer')).toBe('You said Le Guin.')
  })

  it('only options are taken where a reply in free form is not', async () => {
    const asked = await shop.ask({ capability: 'strict_question', query: 'x' })
    const reply = { capability: 'strict_question', query: 'x', session_id: member(asked, 'session_id') }
    expect((await shop.ask({ ...reply, clarification: 'Green' })).status).toBe(400)
    expect((await shop.ask({ ...reply, capability: 'search', clarification: 'Red' })).status).toBe(400)
    expect(member(await shop.ask({ ...reply, clarification: ' red ' }), 'response', 'answer')).toBe(
      'You said Red.',
    )
  })

  it('a question left behind is not held against the next', async () => {
    const session_id = member(await shop.ask({ query: 'dune' }), 'session_id')
    expect(member(await shop.ask({ query: 'Emma', session_id }), 'status')).toBe('success')
    expect((await shop.ask({ query: 'x', session_id, clarification: 'film' })).status).toBe(400)
  })
})

describe('sessions', () => {
  requirement('R053', 'ten turns and no more', async () => {
    const session_id = member(await shop.ask({ query: 'Emma' }), 'session_id')
    for (let turn = 2; turn <= 10; turn++)
      expect((await shop.ask({ query: 'Emma', session_id })).status).toBe(200)
    expect(await shop.ask({ query: 'Emma', session_id })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      json: { code: 'rate_limited', scope: 'session', retry_after: null },
    })
  })

  requirement('R054 R059', 'a caller with a credential may have more, as the site adjusts', async () => {
    const other = await openShop({ sessions: { maxTurns: 1, authenticated: { maxTurns: 2 } } })
    const turns = async (headers: Readonly<Record<string, string>>): Promise<number[]> => {
      const session_id = member(await other.ask({ query: 'Emma' }, { headers }), 'session_id')
      const second = await other.ask({ query: 'Emma', session_id }, { headers })
      return [second.status, (await other.ask({ query: 'Emma', session_id }, { headers })).status]
    }
    expect(await turns({})).toEqual([429, 429])
    expect(await turns(READER)).toEqual([200, 429])
  })

  requirement('R055', 'ten minutes without a turn end a session', async () => {
    const other = await openShop({})
    const session_id = member(await other.ask({ query: 'Emma' }), 'session_id')
    other.pass(599_999)
    expect((await other.ask({ query: 'Emma', session_id })).status).toBe(200)
    other.pass(600_000)
    expect(await other.ask({ query: 'Emma', session_id })).toMatchObject({
      status: 400,
      json: { code: 'invalid_request' },
    })
  })
})

describe('types', () => {
  requirement('R060 R120', 'every declared type is served with its payload to whom accepts it', async () => {
    for (const [type, payload] of Object.entries(PAYLOADS)) {
      const seen = await shop.ask({ capability: 'anything', query: 'x', context: { accept_types: [type] } })
      expect(member(seen, 'response', 'payload'), type).toEqual(payload)
      expect(validatePayload(type, member(seen, 'response', 'payload')).valid).toBe(true)
    }
  })

  requirement('R061', 'the type that the visitor prefers, wildcards included', async () => {
    const typeFor = async (...accept_types: readonly string[]): Promise<unknown> =>
      member(
        await shop.ask({ capability: 'reviews', query: 'x', context: { accept_types } }),
        'response',
        'content_type',
      )
    expect(await typeFor('media/video', 'text/answer', 'application/feed')).toBe('text/answer')
    expect(await typeFor('Application/Feed', 'text/answer')).toBe('application/feed')
    expect(await typeFor('application/*')).toBe('application/feed')
    expect(await typeFor('media/*', '*/*')).toBe('application/feed')
  })

  requirement('R062 R067', 'a fallback is text, and says what it stands for', async () => {
    for (const context of [{ accept_types: ['application/feed'] }, { accept_types: ['text/answer'] }, {}]) {
      const seen = await shop.ask({ capability: 'trailer', query: 'x', context })
      expect(seen.json).toMatchObject({
        response: { content_type: 'text/answer', answer: 'About x, as text/answer.' },
        meta: { content_type: 'text/answer', fallback_from: 'media/video' },
      })
      expect(member(seen, 'response')).not.toHaveProperty('payload')
    }
  })

  requirement('R063', 'no common type and no fallback is refused with the types there are', async () => {
    const context = { accept_types: ['media/video'] }
    expect(await shop.ask({ capability: 'reviews', query: 'x', context })).toMatchObject({
      status: 400,
      json: { code: 'unsupported_type', available_types: ['application/feed', 'text/answer'] },
    })
  })

  requirement('R064', 'an answer that embeds media is never sent', async () => {
    const answer = (): object => ({
      answer: 'x',
      payload: { stream_url: 'data:video/mp4;base64,AAAA', format: 'mp4' },
    })
    const other = await openShop({
      capabilities: {
        clip: { description: '', mode: 'MODE2', responseTypes: ['media/video'], answer: answer as never },
      },
    })
    expect((await other.ask({ capability: 'clip', query: 'x' })).status).toBe(500)
    expect(other.faults).toMatchObject([
      { stage: 'answer', capability: 'clip', error: { code: 'invalid_outcome' } },
    ])
  })

  requirement('R065 R066 R123', 'text beside every payload, and the type once more in meta', async () => {
    for (const type of Object.keys(PAYLOADS)) {
      const seen = await shop.ask({ capability: 'anything', query: 'x', context: { accept_types: [type] } })
      expect(seen.json).toMatchObject({
        response: { content_type: type, answer: `About x, as ${type}.` },
        meta: { content_type: type },
      })
    }
  })

  requirement(
    'R121 R122',
    'a type of its own has x- and the name of a vendor, or is refused at the start',
    async () => {
      const { capabilities = [] } = await served()
      const types = capabilities.flatMap(({ response_types }) => response_types ?? [])
      expect(types.filter((type) => !/^(text|application|media|file)\//.test(type))).toEqual([
        'x-bookshop/shelf',
      ])
      const odd = {
        odd: {
          description: '',
          mode: 'MODE2',
          responseTypes: ['shelf/list'],
          answer: () => ({ answer: 'x' }),
        },
      }
      await expect(openShop({ capabilities: odd as never })).rejects.toMatchObject({
        option: 'capabilities.odd.responseTypes',
      })
    },
  )
})

describe('signals and identity', () => {
  requirement('R070 R118', 'the signals are echoed with every answer and question', async () => {
    const signals = (await served()).content_signals
    expect(member(await shop.ask({ query: 'Emma' }), 'meta', 'content_signals')).toEqual(signals)
    expect(member(await shop.ask({ query: 'dune' }), 'meta', 'content_signals')).toEqual(signals)
  })

  requirement('R074', 'questions are open to strangers', async () => {
    expect((await shop.ask({ query: 'Emma' })).status).toBe(200)
    expect((await shop.ask({ capability: 'contact', query: 'x' })).status).toBe(200)
  })

  requirement('R076', 'a bearer token and an API key are taken', async () => {
    const asked = { capability: 'orders', query: 'Emma' }
    expect((await shop.ask(asked, { headers: READER })).status).toBe(200)
    expect((await shop.ask(asked, { headers: { 'x-ahp-key': 'reader-token' } })).status).toBe(200)
  })

  requirement('R087', 'a missing or wrong credential is asked for by its scheme', async () => {
    const asked = { capability: 'orders', query: 'Emma' }
    expect(shop.concierge.manifest.authentication).toBe('bearer')
    for (const headers of [{}, { authorization: 'Basic cmVhZGVyOg==' }] as const)
      expect(await shop.ask(asked, { headers })).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        json: { code: 'auth_required' },
      })
    expect(await shop.ask(asked, { headers: { authorization: 'Bearer wrong' } })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    })
  })

  requirement('R088', 'a credential without the scope is forbidden', async () => {
    const asked = { capability: 'stock', query: 'Emma' }
    expect(await shop.ask(asked, { headers: READER })).toMatchObject({
      status: 403,
      json: { code: 'forbidden' },
    })
    expect((await shop.ask(asked, { headers: STAFF })).status).toBe(200)
  })
})

describe('errors', () => {
  requirement('R083 R084', 'every error is JSON with its status', async () => {
    const post = { method: 'POST', path: CONVERSE }
    const invalid = async (status: number, visit: Parameters<Bookshop['visit']>[0]): Promise<Seen> => {
      const seen = await shop.visit(visit)
      expect(seen).toMatchObject({
        status,
        headers: { 'content-type': 'application/json' },
        json: { code: 'invalid_request' },
      })
      return seen
    }
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"capability":7,"query":"x"}',
      '{"capability":"search","query":["x"]}',
      new Uint8Array([0x22, 0xff, 0x22]),
    ])
      await invalid(400, { ...post, body })
    await invalid(400, { ...post, body: { capability: 'search', query: 'x'.repeat(4097) } })
    await invalid(400, { ...post, body: { capability: 'search', query: 'x', context: { max_tokens: -1 } } })
    await invalid(415, { ...post, body: '{}', headers: { 'content-type': 'text/plain' } })
    await invalid(415, { ...post, body: '{}', headers: { 'content-encoding': 'gzip' } })
    await invalid(404, { path: `${CONVERSE}/status/none` })
    await invalid(404, { path: `${CONVERSE}/status/%E0%A4%A` })
    expect((await invalid(405, { path: CONVERSE })).headers.allow).toBe('POST, OPTIONS')
    expect((await invalid(405, { method: 'PUT', path: CONVERSE, body: {} })).headers.allow).toBe(
      'POST, OPTIONS',
    )
    expect((await invalid(405, { method: 'POST', path: MANIFEST, body: {} })).headers.allow).toBe(
      'GET, HEAD, OPTIONS',
    )
  })

  requirement('R085', 'an unknown capability is answered with those there are', async () => {
    for (const capability of [
      'nothing',
      'Search',
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
      'x'.repeat(200),
    ])
      expect(await shop.ask({ capability, query: 'x' })).toMatchObject({
        status: 400,
        json: { code: 'unknown_capability', available_capabilities: Object.keys(CAPABILITIES) },
      })
  })

  requirement('R090 R096', 'a limit that is reached says when to come back', async () => {
    const other = await openShop({ limits: { unauthenticated: { ask: '1/minute' } } })
    await other.ask({ query: 'Emma' })
    other.pass(55_000)
    expect(await other.ask({ query: 'Emma' })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5', 'x-ratelimit-remaining': '0' },
      json: { code: 'rate_limited', scope: 'ip', retry_after: 5 },
    })
    other.pass(5000)
    expect((await other.ask({ query: 'Emma' })).status).toBe(200)
  })

  requirement(
    'R091',
    'a fault is told to the site, and of it only that it happened to the visitor',
    async () => {
      const seen = await shop.ask({ capability: 'broken', query: 'x' })
      expect(seen).toMatchObject({ status: 500, json: { code: 'concierge_error' } })
      expect(seen.text).not.toMatch(/hunter2|secret|srv/)
      const fault = shop.faults.at(-1)
      expect(fault).toMatchObject({ stage: 'answer', capability: 'broken', error: { message: /hunter2/ } })
      expect(seen.headers['x-request-id']).toBe(fault?.requestId)
      expect(seen.text).toContain(fault?.requestId)
    },
  )

  requirement('R092', 'what takes too long, or is too much, is unavailable', async () => {
    const other = await openShop({ answerTimeoutMs: 30, maxConcurrentAnswers: 1 })
    const [first, second] = await Promise.all([
      other.ask({ capability: 'slow', query: 'x' }),
      other.ask({ capability: 'slow', query: 'x' }),
    ])
    for (const seen of [first, second])
      expect(seen).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        json: { code: 'unavailable', retry_after: 1 },
      })
    expect([first, second].map((seen) => member(seen, 'message'))).toEqual(
      expect.arrayContaining([
        expect.stringContaining('too long'),
        expect.stringContaining('Too many questions'),
      ]),
    )
    expect((await other.ask({ query: 'Emma' })).status).toBe(200)
  })
})

describe('limits', () => {
  requirement('R058 R099 R116', 'each address has limits of its own, at every endpoint', async () => {
    const other = await openShop({ limits: { unauthenticated: { ask: '1/minute', read: '2/minute' } } })
    const from = '127.0.0.2'
    expect((await other.ask({ query: 'Emma' })).status).toBe(200)
    expect((await other.ask({ query: 'Emma' })).status).toBe(429)
    expect((await other.ask({ query: 'Emma' }, { from })).status).toBe(200)
    for (const path of [MANIFEST, '/llms.txt']) expect((await other.visit({ path, from })).status).toBe(200)
    for (const path of [MANIFEST, '/llms.txt', CONVERSE, `${CONVERSE}/status/x`])
      expect((await other.visit({ path, from })).status, path).toBe(429)
    expect((await other.visit({ path: MANIFEST })).status).toBe(200)
  })

  requirement('R093 R095', 'every response tells the state of the limit', async () => {
    const other = await openShop({})
    const told = ({ headers }: Seen): unknown[] =>
      ['limit', 'remaining', 'reset', 'window'].map((name) => headers[`x-ratelimit-${name}`])
    const reset = String(1_767_225_660)
    expect(told(await other.visit({ path: MANIFEST }))).toEqual(['120', '119', reset, '60'])
    expect(told(await other.ask({ query: 'Emma' }))).toEqual(['30', '29', reset, '60'])
    expect(told(await other.ask({ query: '' }))).toEqual(['120', '118', reset, '60'])
    expect(told(await other.ask({ capability: 'orders', query: 'x' }))).toEqual(['30', '28', reset, '60'])
    expect(told(await other.ask({ query: 'x'.repeat(9000) }))).toEqual(['120', '117', reset, '60'])
    expect(told(await other.visit({ path: `${CONVERSE}/status/x` }))).toEqual(['120', '116', reset, '60'])
    expect(told(await other.ask({ query: 'Emma' }, { headers: READER }))).toEqual(['120', '119', reset, '60'])
    expect(told(await other.ask({ query: 'Emma' }, { headers: { authorization: 'Bearer wrong' } }))).toEqual([
      '10',
      '9',
      reset,
      '60',
    ])
  })

  requirement('R100 R101', 'an agent has a limit inside that of its address', async () => {
    const other = await openShop({ limits: { unauthenticated: { ask: '3/minute' }, agent: '1/minute' } })
    const as = (requesting_agent: string): object => ({ query: 'Emma', context: { requesting_agent } })
    expect((await other.ask({ ...as('one') })).status).toBe(200)
    expect(await other.ask({ ...as('one') })).toMatchObject({ status: 429, json: { scope: 'agent' } })
    expect((await other.ask({ ...as('two') })).status).toBe(200)
    expect(await other.ask({ ...as('three') })).toMatchObject({ status: 429, json: { scope: 'ip' } })
    expect((await other.ask({ ...as('one') }, { from: '127.0.0.2' })).status).toBe(200)
  })

  requirement('R102 R103', 'a session that has used its tokens is over', async () => {
    const other = await openShop({ sessions: { tokenBudget: 1000 } })
    const session_id = member(await other.ask({ capability: 'costly', query: 'x' }), 'session_id')
    expect((await other.ask({ capability: 'costly', query: 'x', session_id })).status).toBe(200)
    expect(await other.ask({ capability: 'costly', query: 'x', session_id })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      json: { code: 'rate_limited', scope: 'session_tokens', retry_after: null },
    })
  })

  requirement('R104', 'max_tokens is honoured below a ceiling', async () => {
    const tokens = async (context: object): Promise<unknown> =>
      member(await shop.ask({ capability: 'long', query: 'x', context }), 'meta', 'tokens_used')
    expect(await tokens({ max_tokens: 20 })).toBeLessThanOrEqual(20)
    expect(await tokens({ max_tokens: 20 })).toBeGreaterThan(15)
    expect(await tokens({ max_tokens: 32_768 })).toBeLessThanOrEqual(1024)
    expect(await tokens({})).toBeGreaterThan(1000)
  })
})

describe('messages', () => {
  requirement('R119', 'what is sent is valid, and what comes is checked before anything runs', async () => {
    const asked: unknown[] = []
    const spy = {
      spy: { description: '', mode: 'MODE2', answer: (turn: unknown) => (asked.push(turn), { answer: 'x' }) },
    } as const
    const other = await openShop({ capabilities: spy })
    for (const body of [
      { query: 7 },
      { query: 'x', session_id: 7 },
      { query: 'x', context: 'x' },
      { query: 'x', context: { locale: 7 } },
    ])
      expect((await other.ask({ capability: 'spy', ...body })).status).toBe(400)
    expect(asked).toEqual([])
    await other.ask({ capability: 'spy', query: 'x' })
    expect(asked).toHaveLength(1)
  })
})
