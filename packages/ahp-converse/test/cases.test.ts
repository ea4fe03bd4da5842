import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mcpFace } from '../src/mcp.js'
import type { ConciergeConfig } from '../src/server.js'
import { createMemoryRateStore } from '../src/server/limits/rate-store.js'
import { type Bookshop, openBookshop, type Seen, send } from './bookshop.js'

/** Faults that users of comparable software reported; the ids are those of the field reports. */

const MANIFEST = '/.well-known/agent.json'
const CONVERSE = '/agent/converse'

const opened: Bookshop[] = []
let shop: Bookshop

beforeAll(async () => {
  shop = await openBookshop({ limits: { unauthenticated: { read: '100000/minute', ask: '100000/minute' } } })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((other) => other.close()))
})
afterAll(() => shop.close())

describe('the type of a body', () => {
  it.each([
    ['application/json; charset=utf-8', 200],
    ['application/json; charset=UTF-8', 200],
    ['application/json; charset="utf-8"', 200],
    ['application/json;charset=utf8', 200],
    ['Application/JSON', 200],
    ['application/ahp+json', 200],
    ['application/json; charset=utf-7', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['text/json', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonp', 415],
    ['json', 415],
    ['', 415],
  ])('JD-04: %s is answered with %i', async (contentType, status) => {
    const headers = { 'content-type': contentType }
    expect((await shop.ask({ query: 'Emma' }, { headers })).status).toBe(status)
  })
})

describe('Accept', () => {
  it.each([
    ['application/json;q=0, */*', 406],
    ['*/*;q=0', 406],
    ['application/*;q=0.0, text/plain', 406],
    ['application/json, */*;q=0', 200],
    ['application/json;q=0.5, text/plain', 200],
    ['text/html', 200],
    ['*/*', 200],
  ])('BN-03: %s is answered with %i', async (accept, status) => {
    expect((await shop.ask({ query: 'Emma' }, { headers: { accept } })).status).toBe(status)
  })
})

describe('paths', () => {
  it('BN-06: parameters of a query change nothing', async () => {
    const plain = await shop.visit({ path: MANIFEST })
    expect((await shop.visit({ path: `${MANIFEST}?constructor=x&__proto__=y` })).text).toBe(plain.text)
  })

  it.each(['%E0%A4%A', 'a%2fb', '..%2f..', '%00', '__proto__'])('BN-10: status of %s', async (id) => {
    expect(await shop.visit({ path: `${CONVERSE}/status/${id}` })).toMatchObject({
      status: 404,
      json: { code: 'invalid_request' },
    })
  })

  it('an absolute target is read as its path', async () => {
    expect((await shop.visit({ path: `http://other.example${MANIFEST}` })).status).toBe(200)
  })
})

describe('H14, BN-09: what a request says of its own host', () => {
  it('is in nothing that is published', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'javascript',
      forwarded: 'host=evil.example;proto=javascript',
    }
    for (const path of [MANIFEST, '/llms.txt']) {
      const plain = await shop.visit({ path })
      const forged = await shop.visit({ path, headers })
      expect(forged.text).toBe(plain.text)
      expect(JSON.stringify(forged.headers)).not.toContain('evil')
    }
  })
})

describe('H17: errors', () => {
  it('hold no stack, no path and no page', async () => {
    const seen: Seen[] = [
      await shop.visit({ method: 'POST', path: CONVERSE, body: '{"a":' }),
      await shop.ask({ query: 'x'.repeat(100_000) }),
      await shop.ask({ capability: 'broken', query: 'x' }),
    ]
    for (const { text, headers } of seen) {
      expect(text).not.toMatch(/\bat \S+ \(|node_modules|\.js|<html|SyntaxError/i)
      expect(headers['content-type']).toBe('application/json')
    }
  })
})

describe('pages of other origins', () => {
  const origin = 'https://app.example'
  const cors = async (other: Bookshop, from: string): Promise<unknown[]> => {
    const preflight = await other.visit({ method: 'OPTIONS', path: CONVERSE, headers: { origin: from } })
    const asked = await other.ask({ query: 'Emma' }, { headers: { origin: from } })
    const name = 'access-control-allow-origin'
    return [preflight.headers[name], preflight.headers['access-control-allow-methods'], asked.headers[name]]
  }

  it('H16: may read what is public, and ask only where they are allowed to', async () => {
    expect((await shop.visit({ path: MANIFEST })).headers['access-control-allow-origin']).toBe('*')
    expect(await cors(shop, origin)).toEqual([undefined, undefined, undefined])
    const open = await openBookshop({ allowOrigins: [origin] })
    try {
      expect(await cors(open, origin)).toEqual([origin, 'POST, OPTIONS', origin])
      expect(await cors(open, 'https://evil.example')).toEqual([undefined, undefined, undefined])
      const { headers } = await open.ask({ query: 'Emma' }, { headers: { origin } })
      expect(headers.vary).toBe('Origin')
      expect(headers['access-control-expose-headers']).toContain('X-RateLimit-Remaining')
    } finally {
      await open.close()
    }
  })
})

describe('the manifest and the content', () => {
  it.each([MANIFEST, '/llms.txt'])('%s is answered with 304 to whoever has it', async (path) => {
    const { headers } = await shop.visit({ path })
    expect(headers['cache-control']).toBe('public, max-age=3600')
    const etag = headers.etag ?? ''
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect(await shop.visit({ path, headers: { 'if-none-match': tag } })).toMatchObject({
        status: 304,
        text: '',
        headers: { etag },
      })
    expect((await shop.visit({ path, headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    const head = await shop.visit({ method: 'HEAD', path })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      headers['content-length'],
    ])
  })
})

describe('limits', () => {
  const ask = '3/minute'
  const open = async (overrides: Partial<ConciergeConfig> = {}): Promise<Bookshop> => {
    const other = await openBookshop({ limits: { unauthenticated: { ask } }, ...overrides })
    opened.push(other)
    return other
  }
  const told = ({ headers }: Seen, name: string): number => Number(headers[name])

  it.each([{ 'x-forwarded-for': '8.8.8.8' }, { 'x-real-ip': '8.8.8.8' }, { forwarded: 'for=8.8.8.8' }])(
    'RL-02: without a proxy %j moves no limit',
    async (headers) => {
      const other = await open()
      await other.ask({ query: 'q' })
      expect(told(await other.ask({ query: 'q' }, { headers }), 'x-ratelimit-remaining')).toBe(1)
    },
  )

  it('RL-03: one client is one bucket however its proxy writes it; garbage is the proxy’s own', async () => {
    const limits = { unauthenticated: { ask: '100/minute' } } as const
    const other = await open({ limits, trustedProxies: ['127.0.0.1'] })
    const left = async (forwarded: string): Promise<number> => {
      const seen = await other.ask({ query: 'q' }, { headers: { 'x-forwarded-for': forwarded } })
      return told(seen, 'x-ratelimit-remaining')
    }
    const same = ['203.0.113.9', '203.0.113.9:1234', '::ffff:203.0.113.9', '[::ffff:203.0.113.9]:1']
    for (const [index, spelling] of same.entries()) expect(await left(spelling)).toBe(99 - index)
    const network = ['2001:db8::1', '[2001:db8::1]:443']
    for (const [index, spelling] of network.entries()) expect(await left(spelling)).toBe(99 - index)
    const garbage = ['unknown', '', ','.repeat(10_240), 'x'.repeat(2000)]
    for (const [index, spelling] of garbage.entries()) expect(await left(spelling)).toBe(99 - index)
  })

  it('RL-05: a store of counts has so many keys and no more', () => {
    let time = 0
    const maxKeys = 1000
    const store = createMemoryRateStore({ maxKeys, now: () => time })
    const keys = Array.from({ length: 20 * maxKeys }, (_, index) => `key ${index}`)
    for (const key of keys) store.penalty(key, 1, { customDuration: 60 })
    const kept = (): number => keys.filter((key) => store.get(key) !== null).length
    expect(kept()).toBe(maxKeys)
    time += 60_000
    expect(kept()).toBe(0)
  })

  it('RL-06 RL-07 RL-08: a window is fixed, and what is told of it is what is enforced', async () => {
    const other = await open()
    const first = await other.ask({ query: 'q' })
    const reset = told(first, 'x-ratelimit-reset')
    other.pass(55_000)
    await other.ask({ query: 'q' })
    await other.ask({ query: 'q' })
    const refused = await other.ask({ query: 'q' })
    expect(refused).toMatchObject({
      status: 429,
      json: { code: 'rate_limited', retry_after: 5 },
      headers: { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
    })
    other.pass(4999)
    expect((await other.ask({ query: 'q' })).headers['retry-after']).toBe('1')
    other.pass(1)
    const next = await other.ask({ query: 'q' })
    expect([next.status, told(next, 'x-ratelimit-reset')]).toEqual([200, reset + 60])
  })

  it('RL-09: every status tells the limits', async () => {
    const other = await open()
    const large = { method: 'POST', path: CONVERSE, body: 'x'.repeat(9000) }
    const text = { method: 'POST', path: CONVERSE, body: 'x', headers: { 'content-type': 'text/plain' } }
    const seen = [
      await other.ask({ query: 'q' }),
      await other.ask({ query: '' }),
      await other.ask({ query: 'q', capability: 'broken' }),
      await other.ask({ query: 'q', capability: 'orders' }),
      await other.ask({ query: 'q' }),
      await other.visit({ path: `${CONVERSE}/status/none` }),
      await other.visit({ method: 'DELETE', path: MANIFEST }),
      await other.visit(large),
      await other.visit(text),
    ]
    expect(seen.map(({ status }) => status)).toEqual([200, 400, 500, 401, 429, 404, 405, 413, 415])
    for (const { headers } of seen)
      for (const name of ['limit', 'remaining', 'reset', 'window'])
        expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/)
  })
})

describe('sessions', () => {
  it.each([
    'attacker-chosen',
    ' ',
    '__proto__',
    'constructor',
    'x'.repeat(10_000),
    'x'.repeat(100),
    1,
    [],
    {},
    true,
  ])('SE-01 SE-02: the id %j never becomes one', async (session_id) => {
    const faults = shop.faults.length
    for (const round of ['first', 'again']) {
      const { status, json } = await shop.ask({ query: round, session_id })
      expect([413, 400]).toContain(status)
      expect(json).toMatchObject({ status: 'error' })
    }
    expect(shop.faults).toHaveLength(faults)
  })

  it.each([null, undefined])('SE-02: %s begins one of the server’s own', async (session_id) => {
    const { json } = await shop.ask({ query: 'Emma', session_id })
    expect(json).toMatchObject({
      status: 'success',
      session_id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
    })
  })

  it('SE-05: has ended at the very moment that it ends, and cannot be prolonged then', async () => {
    for (const [late, status] of [
      [-1, 200],
      [0, 400],
      [1, 400],
    ] as const) {
      const other = await openBookshop()
      opened.push(other)
      const { json } = await other.ask({ query: 'Emma' })
      const { session_id } = json as { session_id: string }
      other.pass(600_000 + late)
      expect((await other.ask({ query: 'on', session_id })).status).toBe(status)
      expect((await other.ask({ query: 'on', session_id })).status).toBe(status)
    }
  })

  it('SE-08: of another is as one that is not there', async () => {
    const { json } = await shop.ask({ query: 'Emma' }, { from: '127.0.0.2' })
    const { session_id } = json as { session_id: string }
    const foreign = await shop.ask({ query: 'on', session_id }, { from: '127.0.0.3' })
    const missing = await shop.ask({ query: 'on', session_id: '0'.repeat(32) }, { from: '127.0.0.3' })
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text])
    expect((await shop.ask({ query: 'on', session_id }, { from: '127.0.0.2' })).status).toBe(200)
  })
})

describe('names that every object has', () => {
  const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

  it.each(NAMES)('BN-05: %s is no capability', async (capability) => {
    expect(await shop.ask({ capability, query: 'q' })).toMatchObject({
      status: 400,
      json: { code: 'unknown_capability' },
    })
  })

  it.each(NAMES)('BN-07: %s is no tool, and its arguments reach no prototype', async (name) => {
    const other = await openBookshop({ faces: [mcpFace()] })
    opened.push(other)
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":{"__proto__":{"admin":true}}}}`
    const { json } = await send(other.server.port, { method: 'POST', path: '/mcp', body })
    expect(json).toMatchObject({ error: { code: -32602 } })
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })
})
