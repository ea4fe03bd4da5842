import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bookshop, openBookshop, type Seen } from './bookshop.js'

/** Faults that users of comparable software reported; the ids are those of the field reports. */

const MANIFEST = '/.well-known/agent.json'
const CONVERSE = '/agent/converse'

let shop: Bookshop

beforeAll(async () => {
  shop = await openBookshop({ limits: { unauthenticated: { read: '100000/minute', ask: '100000/minute' } } })
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
