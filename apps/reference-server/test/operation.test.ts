import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { runConformance } from '@doorplate/aadp-conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../src/operate/logger.js'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import type { Settings } from '../src/settings/settings.js'
import { assetsFolder, createProject, testSettings, type Project } from './project.js'

const METRICS_TOKEN = 'a-token-for-the-metrics'
const RULES = `# Rules\n\n${'No noise after ten. '.repeat(200)}\n`
let project: Project
let server: ReferenceServer
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  project = await createProject()
  await project.write('README.md', '# House\n')
  await project.write('spec/rules.md', RULES)
  server = await start({ metricsToken: METRICS_TOKEN })
})

afterAll(async () => {
  await server.stop({ graceMs: 0 })
  await project.remove()
})

function start(settings: Partial<Settings>): Promise<ReferenceServer> {
  return startReferenceServer(testSettings(join(project.root, 'data'), settings), {
    projectRoot: project.root,
    assetsFolder,
    now: Date.now,
    log: (line) => lines.push({ msg: line }),
    logger: createLogger(
      { logLevel: 'info' },
      { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    ),
  })
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

async function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { origin = server.address, method = 'GET', body = '' } = {},
): Promise<Answer> {
  const outgoing = request(new URL(path, origin), { method, agent: false, headers }).end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: response.statusCode!, headers: response.headers, bytes: await buffer(response) }
}

function ask(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return get(
    '/agent/converse',
    { 'content-type': 'application/json', ...headers },
    { method: 'POST', body: JSON.stringify(body) },
  )
}

async function metrics(): Promise<string> {
  const { bytes } = await get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })
  return bytes.toString()
}

describe('metrics', () => {
  it('count requests by face, questions by outcome, and show what there is', async () => {
    await get('/ai/v1.0/entities/spec/rules.json')
    await get('/nope')
    await ask({ capability: 'contact', query: 'Who?' })
    await ask({ capability: 'made-up-by-a-stranger', query: 'Who?' })
    const text = await metrics()
    expect(text).toMatch(/^doorplate_requests_total\{face="read",method="GET",status="200"\} 1$/m)
    expect(text).toMatch(/^doorplate_requests_total\{face="pages",method="GET",status="404"\} 1$/m)
    expect(text).toMatch(/^doorplate_request_duration_seconds_count\{face="converse"\} 2$/m)
    expect(text).toMatch(
      /^doorplate_questions_total\{capability="contact",outcome="success",code="none",cached="false"\} 1$/m,
    )
    expect(text).toMatch(/^doorplate_jobs\{state="open"\} 0$/m)
    expect(text).toMatch(/^doorplate_sessions 1$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
    expect(text).not.toContain('stranger')
  })

  it.each([{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${METRICS_TOKEN}` }])(
    'are closed to %j where there is a token',
    async (headers) => {
      const { status, bytes } = await get('/metrics', headers)
      expect([status, bytes.length]).toEqual([401, 0])
    },
  )

  it('can only be read', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    expect((await get('/metrics', headers, { method: 'DELETE' })).status).toBe(405)
    expect((await get('/metrics', headers, { method: 'HEAD' })).status).toBe(200)
  })

  it('without a token are for this machine alone, and for nobody where the world may come in through it', async () => {
    const atHome = await start({})
    const published = await start({ publicUrl: 'https://docs.my-site.org' })
    try {
      const statusAt = async (origin: string, headers = {}): Promise<number> =>
        (await get('/metrics', headers, { origin })).status
      expect(await statusAt(atHome.address)).toBe(200)
      for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
        expect(await statusAt(atHome.address, { [name]: '127.0.0.1' })).toBe(404)
      const hosts = [
        'localhost:4870',
        '[::1]:4870',
        'evil.test',
        'localhost.evil.test',
        '127.0.0.1.evil.test',
      ]
      expect(await Promise.all(hosts.map((host) => statusAt(atHome.address, { host })))).toEqual([
        ...[200, 200, 404, 404, 404],
      ])
      expect(await statusAt(published.address)).toBe(404)
    } finally {
      await atHome.stop({ graceMs: 0 })
      await published.stop({ graceMs: 0 })
    }
  })
})

describe('the log', () => {
  it('has a line for a request, under the id that the answer names', async () => {
    const { headers } = await get('/ai/v1.0/entities/spec/rules.json?secret=hunter2')
    const line = lines.find(({ requestId }) => requestId === headers['x-request-id'])
    expect(line).toMatchObject({ level: 'info', msg: 'request', face: 'read', method: 'GET', status: 200 })
  })

  it('takes no id from a request', async () => {
    const { headers } = await get('/', { 'x-request-id': 'forged' })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('never has what a visitor wrote, or a secret', async () => {
    await ask({ capability: 'contact', query: 'hunter2?' }, { authorization: 'Bearer hunter2' })
    await ask(
      { capability: 'contact', query: 'hunter2?' },
      { authorization: `Bearer ${server.tokens.customer}` },
    )
    await get('/hunter2', { cookie: 'hunter2', 'user-agent': 'hunter2' })
    expect(lines.some(({ msg }) => msg === 'question')).toBe(true)
    const log = JSON.stringify(lines)
    expect(log).not.toContain('hunter2')
    expect(log).not.toContain(server.tokens.customer)
    expect(log).not.toContain('127.0.0.1')
  })

  it('cuts out what is a secret by its name', () => {
    const written: string[] = []
    const logger = createLogger({ logLevel: 'info' }, { write: (line) => written.push(line) })
    logger.info({ authorization: 'a', headers: { cookie: 'b', 'x-ahp-key': 'c' }, callback_url: 'd' }, 'x')
    expect(JSON.parse(written[0]!)).toMatchObject({
      authorization: '[redacted]',
      headers: { cookie: '[redacted]', 'x-ahp-key': '[redacted]' },
      callback_url: '[redacted]',
    })
  })
})

describe('the password of the desk', () => {
  const passwordOf = (password: string): Record<string, string> => ({
    authorization: `Basic ${btoa(`ann:${password}`)}`,
  })

  it('cannot be guessed: an address that has tried too often is not listened to, others are', async () => {
    const limited = await start({ credentialLimit: '3/hour', trustedProxies: ['127.0.0.1'] })
    const right = passwordOf(limited.tokens.operator)
    const knock = (address: string, headers: Record<string, string>): Promise<Answer> =>
      get('/desk', { ...headers, 'x-forwarded-for': address }, { origin: limited.address })
    try {
      const guessed = await Promise.all(
        Array.from({ length: 6 }, (_, guess) => knock('203.0.113.7', passwordOf(`guess ${String(guess)}`))),
      )
      expect(guessed.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429, 429])
      const refused = await knock('203.0.113.7', right)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
      expect(refused.bytes.toString()).toContain('Too many wrong passwords')
      expect((await knock('203.0.113.7', {})).status).toBe(401)
      expect((await knock('203.0.113.8', right)).status).toBe(200)
    } finally {
      await limited.stop({ graceMs: 0 })
    }
  })

  it('may be used as often as one likes', async () => {
    const limited = await start({ credentialLimit: '1/hour' })
    try {
      for (const status of [200, 200, 200]) {
        const headers = passwordOf(limited.tokens.operator)
        expect((await get('/desk', headers, { origin: limited.address })).status).toBe(status)
      }
    } finally {
      await limited.stop({ graceMs: 0 })
    }
  })
})

describe('compression', () => {
  const RULES_PATH = '/ai/v1.0/entities/spec/rules.json'

  it('is for those who take it, with a weak tag that is recognised', async () => {
    const plain = await get(RULES_PATH)
    const zipped = await get(RULES_PATH, { 'accept-encoding': 'gzip' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(zipped.headers.vary).toMatch(/accept-encoding/i)
    expect(zipped.headers.etag).toBe(`W/${plain.headers.etag!}`)
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 4)
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
    const again = await get(RULES_PATH, {
      'accept-encoding': 'gzip',
      'if-none-match': zipped.headers.etag!,
    })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  it.each(['identity', 'gzip;q=0', 'x-unknown'])('is not for %s', async (encoding) => {
    const { headers, bytes } = await get(RULES_PATH, { 'accept-encoding': encoding })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers.etag).toMatch(/^"/)
    expect(headers['content-length']).toBe(String(bytes.length))
  })

  it('leaves alone what is short or for one reader', async () => {
    expect((await get('/health', { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty(
      'content-encoding',
    )
    const own = await get('/ai/v1.0/sitemaps/order.json', {
      'accept-encoding': 'gzip',
      'x-ahp-key': server.tokens.customer,
    })
    expect(own.status).toBe(200)
    expect(own.headers).not.toHaveProperty('content-encoding')
  })

  it('can be turned off', async () => {
    const other = await start({ compression: 'off' })
    try {
      const { headers } = await get(RULES_PATH, { 'accept-encoding': 'gzip' }, { origin: other.address })
      expect(headers).not.toHaveProperty('content-encoding')
    } finally {
      await other.stop({ graceMs: 0 })
    }
  })
})

describe('addresses that a request makes up', () => {
  const FORGED = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-port': '1',
    'x-original-url': 'http://evil.test/',
    'x-rewrite-url': '/desk',
    forwarded: 'for=203.0.113.7;host=evil.test;proto=gopher',
  }

  it.each([
    '/',
    '/ask',
    '/docs/spec/rules',
    '/.well-known/agent.json',
    '/openapi.json',
    '/llms.txt',
    '/robots.txt',
  ])('are in nothing of %s', async (path) => {
    const { status, headers, bytes } = await get(path, FORGED)
    expect(status).toBe(200)
    expect(JSON.stringify(headers) + bytes.toString()).not.toContain('evil.test')
  })

  it('do not move a visitor to another limit, except through a proxy that is believed', async () => {
    const limited = await start({ askLimit: '2/day' })
    const proxied = await start({ askLimit: '2/day', trustedProxies: ['127.0.0.1'] })
    try {
      const statusesAt = async (origin: string): Promise<number[]> => {
        const statuses: number[] = []
        for (const last of [1, 2, 3]) {
          const headers = {
            'content-type': 'application/json',
            'x-forwarded-for': `203.0.113.${String(last)}`,
          }
          const body = '{"capability":"contact","query":"Who?"}'
          statuses.push((await get('/agent/converse', headers, { origin, method: 'POST', body })).status)
        }
        return statuses
      }
      expect(await statusesAt(limited.address)).toEqual([200, 200, 429])
      expect(await statusesAt(proxied.address)).toEqual([200, 200, 200])
    } finally {
      await limited.stop({ graceMs: 0 })
      await proxied.stop({ graceMs: 0 })
    }
  })

  it('that also mean this machine lead browsers to the name that forms are taken from', async () => {
    const { host, port } = new URL(server.origin)
    const browse = { 'sec-fetch-mode': 'navigate' }
    for (const path of ['/inspect?url=x', '/ask', '/desk'])
      for (const name of ['localhost', '[::1]']) {
        const led = await get(path, { ...browse, host: `${name}:${port}` })
        expect([led.status, led.headers.location]).toEqual([307, server.origin + path])
      }
    const unled = [
      { ...browse, host },
      { ...browse, host: 'evil.test' },
      { ...browse, host: `localhost.evil.test:${port}` },
      { host: `localhost:${port}` },
    ]
    for (const headers of unled) expect((await get('/inspect', headers)).status).toBe(200)
  })

  it('where it is seen besides have no forms: that is said, and where they are', async () => {
    const refused = await get(
      '/ask',
      { origin: 'http://192.0.2.1:4870' },
      { method: 'POST', body: 'query=x' },
    )
    expect(refused.status).toBe(403)
    expect(refused.bytes.toString()).toContain(`<a href="${server.origin}/">${server.origin}</a>`)
    expect(refused.bytes.toString()).toContain('PUBLIC_URL')
  })

  it('are refused by MCP', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const refused = await get('/mcp', { ...headers, host: 'evil.test' }, { method: 'POST', body })
    expect(refused.status).toBe(403)
    expect((await get('/mcp', headers, { method: 'POST', body })).status).toBe(200)
  })
})

describe('routes of its own', () => {
  it('are named by the manifest, and the usual ones lead to the same', async () => {
    const custom = await start({ routes: 'custom' })
    try {
      const json = async (path: string): Promise<Record<string, unknown>> =>
        JSON.parse((await get(path, {}, { origin: custom.address })).bytes.toString()) as Record<
          string,
          unknown
        >
      const manifest = await json('/.well-known/ai-manifest.json')
      expect(manifest['discovery']).toMatchObject({ sitemap_index: `${custom.origin}/read/index.json` })
      const [own, usual] = [
        await json('/read/items/spec/rules.json'),
        await json('/ai/v1.0/entities/spec/rules.json'),
      ]
      expect(own['checksum']).toBe(usual['checksum'])
      const { status, checks } = await runConformance(custom.origin, {
        allowPrivateNetwork: true,
        headers: { 'X-AHP-Key': custom.tokens.customer },
      })
      const notPassed = checks.filter((check) => check.status !== 'passed').map(({ id }) => id)
      // The site is on this machine, by plain http, and what it has is too short to be worth compressing.
      expect([status, notPassed]).toEqual(['passed', ['http.https', 'http.compression']])
    } finally {
      await custom.stop({ graceMs: 0 })
    }
  })
})
