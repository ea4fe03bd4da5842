import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { mcpFace } from '../src/mcp.js'
import type { ConciergeConfig, Logger, SiteEvent } from '../src/server.js'
import { type Bookshop, CAPABILITIES, openBookshop, send } from './bookshop.js'
import { openDesk, READER } from './desk.js'

const SECRETS = ['reader-token', 'hunter2', 'What a visitor wrote', 'There is a review', '127.0.0.1']

type Line = Readonly<Record<string, unknown>>

const opened: Bookshop[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((shop) => shop.close()))
})

async function openShop(overrides: Partial<ConciergeConfig>): Promise<Bookshop> {
  const shop = await openBookshop({ faces: [mcpFace()], ...overrides })
  opened.push(shop)
  return shop
}

/** A shop that logs with pino. */
async function openLogged(
  overrides: Partial<ConciergeConfig> = {},
): Promise<{ readonly shop: Bookshop; readonly lines: () => readonly Line[]; readonly text: () => string }> {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString()
      done()
    },
  })
  const shop = await openShop({ logger: pino(stream), ...overrides })
  return {
    shop,
    text: () => text,
    lines: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line),
  }
}

/** An answerer that fails like this. */
function failing(message: string): ConciergeConfig['capabilities'] {
  return {
    search: {
      description: 'Fails.',
      mode: 'MODE2',
      answer() {
        throw new Error(message)
      },
    },
  }
}

describe('the log', () => {
  it('has a line for a question and one for its request', async () => {
    const { shop, lines } = await openLogged()
    await shop.ask({ query: 'What a visitor wrote' })
    expect(lines()).toMatchObject([
      { level: 30, msg: 'question', status: 200, outcome: 'success', capability: 'search', cached: false },
      { level: 30, msg: 'request', method: 'POST', route: 'converse', status: 200, durationMs: 0 },
    ])
  })

  it('says by which way in a question came, and what was refused', async () => {
    const { shop, lines } = await openLogged()
    const params = { name: 'orders', arguments: { query: 'x' } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    await send(shop.server.port, { method: 'POST', path: '/mcp', body })
    expect(lines()).toMatchObject([
      { msg: 'question', status: 401, outcome: 'error', code: 'auth_required' },
      { msg: 'request', route: 'mcp', status: 401 },
    ])
  })

  it('has the fault, with the number that the visitor was told', async () => {
    const { shop, lines } = await openLogged()
    const { headers } = await shop.ask({ query: 'x', capability: 'broken' })
    const requestId = headers['x-request-id']
    expect(lines()).toMatchObject([
      { level: 50, msg: 'fault', stage: 'answer', capability: 'broken', requestId, error: { type: 'Error' } },
      { level: 30, msg: 'question', status: 500, code: 'concierge_error', requestId },
      { level: 40, msg: 'request', route: 'converse', status: 500 },
    ])
    expect(shop.faults).toHaveLength(1)
  })

  it('H20: has nothing of what was written, answered or proved', async () => {
    const { shop, text } = await openLogged()
    const { json } = await shop.ask(
      { query: 'What a visitor wrote' },
      { headers: { authorization: 'Bearer reader-token' } },
    )
    await shop.ask({ query: 'x', capability: 'broken' })
    await shop.ask({ query: 'x', auth: 'reader-token' })
    await shop.visit({ path: '/agent/converse/status/secret-job' })
    await shop.concierge.handleRequest(
      new Request('https://books.test/reset?token=reader-token', { method: 'GET' }),
    )
    const { session_id: session } = json as { session_id: string }
    for (const secret of [...SECRETS, session, 'secret-job', '/reset'])
      expect(text(), secret).not.toContain(secret)
  })

  it.each([
    ['Authorization: Bearer abc.def-123', 'abc.def-123'],
    ['password=hunter2 at /srv/app/secret.js:1', 'hunter2'],
    ['{"api_key":"k-12345"}', 'k-12345'],
    ["{ clientSecret: 'shh-1' }", 'shh-1'],
    ['connect postgres://shop:s3cret@db.internal/shop', 's3cret'],
    ['GET https://api.example/orders?customer=ann failed', 'customer=ann'],
    ['no account for ann@example.org', 'ann@example.org'],
    ['Incorrect API key: sk-proj-abcdefghijklmnop', 'abcdefghijklmnop'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired', 'eyJzdWIiOiIxIn0'],
    ['x-ahp-key: k-secret', 'k-secret'],
    ['POST https://agent.example/hooks/T0kenInThePath failed', 'T0kenInThePath'],
    ['fetch("https://hooks.example:8443/a1b2c3")', 'a1b2c3'],
    ['no key in whsec_c2VjcmV0+/x=', 'c2VjcmV0'],
    ['whsk_abc/def+g=', 'abc'],
    ['key rk_live_0123456789abcdef', '0123456789abcdef'],
    ['key AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    [`${'x'.repeat(4_080)} jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired`, 'eyJhbG'],
  ])('redacts %s', async (message, secret) => {
    const { shop, text } = await openLogged({ capabilities: failing(message) })
    await shop.ask({ query: 'x' })
    expect(text()).toContain('[redacted]')
    expect(text()).not.toContain(secret)
  })

  it('redacts causes too, and hostile texts in no time to speak of', async () => {
    const hostile = [
      'a-'.repeat(50_000),
      'a.'.repeat(50_000),
      'http://'.repeat(20_000),
      'whsec_'.repeat(20_000),
      'token'.repeat(20_000),
    ]
    for (const message of hostile) {
      const { shop, lines } = await openLogged({ capabilities: failing(message) })
      await shop.ask({ query: 'x' })
      expect(lines()).toHaveLength(3)
    }
    const capabilities = {
      ...CAPABILITIES,
      search: {
        description: 'Fails.',
        mode: 'MODE2' as const,
        answer() {
          throw new Error('outer', { cause: new Error('token=inner-secret') })
        },
      },
    }
    const { shop, text } = await openLogged({ capabilities })
    await shop.ask({ query: 'x' })
    expect(text()).toContain('outer')
    expect(text()).not.toContain('inner-secret')
  })

  it('redacts the name and the code of an error', async () => {
    const answer = (): never => {
      throw Object.assign(new Error('x'), { name: 'token=in-name', code: 'token=in-code' })
    }
    const { shop, text } = await openLogged({
      capabilities: { search: { description: 'Fails.', mode: 'MODE2', answer } },
    })
    await shop.ask({ query: 'x' })
    expect(text()).not.toMatch(/in-name|in-code/)
  })

  it('a logger that fails fails nothing', async () => {
    const broken = (): never => {
      throw new Error('disk full')
    }
    const shop = await openShop({ logger: { info: broken, warn: broken, error: broken } })
    expect((await shop.ask({ query: 'Emma' })).status).toBe(200)
    expect((await shop.ask({ query: 'Emma', capability: 'broken' })).status).toBe(500)
  })

  it('is given no lines of a level that is off', async () => {
    const lines: string[] = []
    const note = (_: unknown, message: string): void => void lines.push(message)
    const logger = {
      info: note,
      warn: note,
      error: note,
      isLevelEnabled: (level: string) => level === 'error',
    }
    const shop = await openShop({ logger, capabilities: failing('Broken.') })
    await shop.ask({ query: 'Anything?', capability: 'search' })
    expect(lines).toEqual(['fault'])
  })

  it('anything else is refused', async () => {
    const logger = { info: 1 } as unknown as Logger
    await expect(openBookshop({ logger })).rejects.toMatchObject({ code: 'invalid_option', option: 'logger' })
  })
})

describe('an observer', () => {
  it('is told of requests and questions, by what takes few values', async () => {
    const events: SiteEvent[] = []
    const shop = await openShop({ observe: (event) => events.push(event) })
    await shop.ask({ query: 'Emma' })
    await shop.ask({ query: 'x', capability: 'broken' })
    await shop.ask({ query: 'x', capability: 'made_up_by_a_visitor' })
    await shop.visit({ path: '/llms.txt' })
    expect(events).toMatchObject([
      { type: 'question', capability: 'search', status: 200, outcome: 'success', cached: false },
      { type: 'request', method: 'POST', route: 'converse', status: 200, durationMs: 0 },
      { type: 'fault', stage: 'answer', capability: 'broken', error: { name: 'Error' } },
      { type: 'question', capability: 'broken', status: 500, outcome: 'error', code: 'concierge_error' },
      { type: 'request', route: 'converse', status: 500 },
      { type: 'question', status: 400, outcome: 'error', code: 'unknown_capability' },
      { type: 'request', route: 'converse', status: 400 },
      { type: 'request', method: 'GET', route: 'content', status: 200 },
    ])
    expect(JSON.stringify(events)).not.toContain('made')
  })

  it('is told what becomes of jobs, and how many there are', async () => {
    const events: SiteEvent[] = []
    const desk = await openDesk({ observe: (event) => events.push(event) })
    opened.push(desk)
    const arrival = desk.arrival()
    const { json } = await desk.ask({ capability: 'quote', query: 'x' }, { headers: READER })
    const { poll } = json as { poll: string }
    const { open } = await arrival
    expect(await desk.concierge.counts()).toEqual({ sessions: 1, jobs: { open: 1, ended: 0 } })
    desk.pass(1_000)
    open({ answer: 'It is 90.', output: { total: 90 } })
    const state = async (): Promise<unknown> => (await desk.visit({ path: poll, headers: READER })).json
    await expect.poll(state).toMatchObject({ status: 'success' })
    expect(events.filter(({ type }) => type === 'job')).toEqual([
      { type: 'job', capability: 'quote', state: 'added', durationMs: 0 },
      { type: 'job', capability: 'quote', state: 'success', durationMs: 1_000 },
    ])
    expect(await desk.concierge.counts()).toEqual({ sessions: 1, jobs: { open: 0, ended: 1 } })
  })

  it('that fails fails nothing', async () => {
    for (const observe of [() => Promise.reject(new Error('late')), () => JSON.parse('{') as unknown]) {
      const shop = await openShop({ observe })
      expect((await shop.ask({ query: 'Emma' })).status).toBe(200)
    }
  })
})

describe('health', () => {
  const get = async (shop: Bookshop, path: string): Promise<readonly [number, unknown]> => {
    const { status, json } = await send(shop.server.port, { path })
    return [status, json]
  }

  it('is not served unless it is asked for', async () => {
    const shop = await openShop({})
    expect(shop.concierge.matches('/health/live')).toBe(false)
    expect(await shop.concierge.ready()).toEqual({ status: 'ok', checks: {} })
  })

  it('says that the process runs, and what does not work', async () => {
    let isUp = true
    const checks = {
      model: () => isUp,
      search() {
        if (!isUp) throw new Error('gone')
      },
    }
    const shop = await openShop({ health: { checks } })
    expect(await get(shop, '/health/live')).toEqual([200, { status: 'ok' }])
    expect(await get(shop, '/health/ready')).toEqual([
      200,
      { status: 'ok', checks: { model: 'ok', search: 'ok' } },
    ])
    isUp = false
    shop.pass(1000)
    const failing = { status: 'failing', checks: { model: 'failing', search: 'failing' } }
    expect(await get(shop, '/health/ready')).toEqual([503, failing])
    expect(await get(shop, '/health/live')).toEqual([200, { status: 'ok' }])
    expect(shop.faults).toMatchObject([{ stage: 'health' }])
  })

  it('asks its checks once a second at most, and is never refused', async () => {
    let asked = 0
    const shop = await openShop({
      limits: { unauthenticated: { read: '1/minute' } },
      health: { readyPath: '/ready', checks: { count: () => ++asked > 0 } },
    })
    for (let number = 0; number < 5; number++) expect((await get(shop, '/ready'))[0]).toBe(200)
    expect(asked).toBe(1)
  })

  it('waits for no check too long', async () => {
    const checks = { stuck: () => new Promise(() => undefined) }
    const shop = await openShop({ health: { checks, timeoutMs: 1 } })
    expect((await get(shop, '/health/ready'))[0]).toBe(503)
  })

  it('asks the stores of sessions and jobs', async () => {
    const store = {
      read: () => Promise.reject(new Error('no connection')),
      write: () => Promise.reject(new Error('no connection')),
    }
    const shop = await openShop({ health: {}, sessions: { store } })
    expect(await shop.concierge.ready()).toEqual({ status: 'failing', checks: { sessions: 'failing' } })
  })

  it('is not ready once it closes', async () => {
    const shop = await openShop({ health: {} })
    expect((await shop.concierge.ready()).status).toBe('ok')
    await shop.concierge.close()
    expect(await get(shop, '/health/ready')).toEqual([503, { status: 'failing', checks: {} }])
  })

  it.each([
    [{ livePath: 'live' }, 'health.livePath'],
    [{ timeoutMs: 0 }, 'health.timeoutMs'],
    [{ checks: { a: 1 } }, 'health.checks.a'],
    [{ path: '/x' }, 'health.path'],
  ])('%o is refused', async (health, option) => {
    const config = { health } as unknown as Partial<ConciergeConfig>
    await expect(openBookshop(config)).rejects.toMatchObject({ code: 'invalid_option', option })
  })
})
