import { createServer } from 'node:http'
import type { Server } from 'node:http'

import { listen, recordDials, scriptedLookup, startScriptedServer, startServer } from '@internal/loopback'
import { expect, it, onTestFinished, vi } from 'vitest'
import { EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'

import { createSafeFetch, safeFetch } from '../src/index.js'
import type { SafeFetchOptions } from '../src/index.js'
import { openWorld, redirectTo, rejection, routes, text } from './world.js'

it('TR-01: a name is resolved once for a connection, and the address judged is the address dialled', async () => {
  const names = { 'a.example': [['93.184.216.34'], ['127.0.0.1']] }
  const world = await openWorld(text('reached'), {}, names)
  await world.safeFetch.request('http://a.example/')
  expect(world.lookup.asked).toEqual(['a.example'])
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
})

it('TR-01: a name that turns private is refused on the next connection', async () => {
  const names = { 'a.example': [['93.184.216.34'], ['127.0.0.1']] }
  const closing = (
    _request: unknown,
    response: { setHeader(name: string, value: string): unknown; end(): unknown },
  ): void => {
    response.setHeader('connection', 'close')
    response.end()
  }
  const world = await openWorld(closing, {}, names)
  await world.safeFetch.request('http://a.example/')
  expect(await rejection(world.safeFetch.request('http://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
})

it('TR-01: a connection that ends up elsewhere is not used', async () => {
  // The peer itself is what the socket reports: here a loopback address behind a public name.
  const server = await startServer((_request, response) => response.end('secret'))
  const lookup = scriptedLookup({ 'a.example': ['93.184.216.34'] })
  const recorder = recordDials(() => server.port, { keepPeer: true })
  const fetchA = createSafeFetch({ lookup })
  onTestFinished(async () => {
    recorder.restore()
    await server.close()
    await fetchA.close()
  })
  expect(await rejection(fetchA('http://a.example/'))).toMatchObject({ code: 'blocked', reason: 'address' })
})

it('TR-02: one private answer refuses the request', async () => {
  const world = await openWorld(text('reached'), {}, { 'a.example': ['93.184.216.34', '10.0.0.5'] })
  const error = await rejection(world.safeFetch('https://a.example/'))
  expect(error).toMatchObject({
    code: 'blocked',
    reason: 'address',
    url: 'https://a.example/',
    blockedAddress: '10.0.0.5',
  })
  expect(world.dials).toEqual([])
})

it('TR-02: the certificate and the Host are those of the name, not of the address', async () => {
  const names = { 'a.example': ['93.184.216.34'] }
  const world = await openWorld(text('reached'), {}, names)
  expect((await world.safeFetch('https://a.example/')).status).toBe(200)
  expect(world.seen[0]?.headers.host).toBe('a.example')
})

it('TR-02: a certificate for another name is refused', async () => {
  const lookup = scriptedLookup({ 'a.example': ['93.184.216.34'], 'other.example': ['93.184.216.34'] })
  const world = await openWorld(text('reached'), { lookup }, { 'a.example': ['93.184.216.34'] })
  expect(await rejection(world.safeFetch('https://other.example/'))).toMatchObject({ code: 'tls_failed' })
  expect(world.seen).toEqual([])
})

it('TR-04: a dual-stack host with one private address is refused, and the error names it apart from its message', async () => {
  const world = await openWorld(text('reached'), {}, { 'a.example': ['93.184.216.34', 'fd00::1'] })
  const error = await rejection(world.safeFetch('http://a.example/'))
  expect(error).toMatchObject({ code: 'blocked', blockedAddress: 'fd00::1' })
  expect(String(error)).not.toContain('fd00')
  expect(JSON.stringify(error)).not.toContain('fd00')
})

it('TR-04: with the filter only the public addresses are dialled', async () => {
  const names = {
    'a.example': ['fd00::1', '93.184.216.34', '10.0.0.1'],
    'b.example': ['10.0.0.1', 'fd00::1'],
  }
  const world = await openWorld(text('reached'), { mixedAnswers: 'filter' }, names)
  expect((await world.safeFetch('http://a.example/')).status).toBe(200)
  expect(await rejection(world.safeFetch('http://b.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
})

it('TR-07: a literal never reaches a lookup and is refused, first or after a redirect', async () => {
  const world = await openWorld(routes({ 'http://a.example/': redirectTo('http://[::1]:8080/') }))
  expect(await rejection(world.safeFetch('http://127.0.0.1:8080/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(await rejection(world.safeFetch('http://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'address',
  })
  expect(world.lookup.asked).toEqual(['a.example'])
  expect(world.dials).toHaveLength(1)
})

it('TR-09: an address may take as long as its own option says, and the error keeps every try', async () => {
  const attemptTimeouts: unknown[] = []
  const server = await startServer((_request, response) => response.end('reached'))
  const recorder = recordDials(({ address }) => (address.includes(':') ? null : server.port), {
    onDial: (options) => attemptTimeouts.push(options.autoSelectFamilyAttemptTimeout),
  })
  const lookup = scriptedLookup({ 'a.example': ['93.184.216.34', '2606:4700::1'] })
  const patient = createSafeFetch({ lookup })
  const quick = createSafeFetch({ lookup, addressAttemptTimeoutMs: 300 })
  onTestFinished(async () => {
    recorder.restore()
    await Promise.all([server.close(), patient.close(), quick.close()])
  })
  await patient.request('http://a.example/')
  await quick.request('http://a.example/')
  expect(attemptTimeouts).toEqual([1_000, 300])
})

it('TR-09: when no address answers, the cause lists each', async () => {
  const lookup = scriptedLookup({ 'dead.example': ['127.0.0.1', '::1'] })
  const unreachable = await startServer(() => undefined)
  await unreachable.close()
  const fetchDead = createSafeFetch({ lookup, dangerouslyAllow: [`dead.example:${unreachable.port}`] })
  const error = await rejection(fetchDead(`http://dead.example:${unreachable.port}/`))
  expect(error).toMatchObject({
    code: 'network_error',
    cause: { errors: [{ syscall: 'connect' }, { syscall: 'connect' }] },
  })
})

it('TR-11: a global dispatcher and proxy variables change nothing', async () => {
  const before = getGlobalDispatcher()
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
  vi.stubEnv('NO_PROXY', '*')
  setGlobalDispatcher(new EnvHttpProxyAgent())
  onTestFinished(() => {
    setGlobalDispatcher(before)
    vi.unstubAllEnvs()
  })
  const world = await openWorld(text('direct'))
  expect(await (await world.safeFetch('http://a.example/')).text()).toBe('direct')
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
  expect(await rejection(safeFetch('http://127.0.0.1:9/'))).toMatchObject({ code: 'blocked' })
})

it('TR-13: nothing tells an open port from a closed one', async () => {
  const open = await startServer((_request, response) => response.end('open'))
  onTestFinished(() => open.close())
  const ports = [1, 9, open.port, 22, 65_535]
  const errors = []
  for (const port of ports) {
    const front = await startServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    const guarded = createSafeFetch({ dangerouslyAllow: [front.host] })
    errors.push(await rejection(guarded(front.origin)))
    await guarded.close()
    await front.close()
  }
  const described = errors.map((error) => {
    const { name, message, ...fields } = error as Error & { url: string; stack: string }
    const cause: unknown = (error as Error).cause
    return JSON.stringify({ name, message, ...fields, url: undefined, cause })
  })
  expect(new Set(described).size).toBe(1)
  expect(described[0]).not.toContain('ECONNREFUSED')
  expect(open.connectionCount).toBe(0)
})

it.each([6000, 25, 6666, 22, 10_080, 0])('TR-14: port %i is refused by the guard itself', async (port) => {
  const world = await openWorld(text('reached'))
  for (const call of [world.safeFetch, world.safeFetch.request]) {
    expect(await rejection(call(`http://a.example:${port}/`))).toMatchObject({
      code: 'blocked',
      reason: 'port',
    })
  }
  expect(world.dials).toEqual([])
})

it('TR-14: a list of allowed ports holds for redirects as well', async () => {
  const world = await openWorld(routes({ 'http://a.example/': redirectTo('http://a.example:8080/') }), {
    allowedPorts: [80, 443],
  })
  expect(await rejection(world.safeFetch('http://a.example/'))).toMatchObject({
    code: 'blocked',
    reason: 'port',
  })
})

it.each([
  'http://unix:/var/run/docker.sock:/containers/json',
  'unix:/var/run/docker.sock:/x',
  'http+unix://x/y',
])('TR-16: a redirect to %s is refused', async (location) => {
  const world = await openWorld(routes({ 'http://a.example/': redirectTo(location) }))
  expect(await rejection(world.safeFetch('http://a.example/'))).toMatchObject({ code: 'blocked' })
  expect(world.dials).toHaveLength(1)
})

it.each([
  '//evil.example/x',
  'https://evil.example/x',
  '\\\\evil.example/x',
  '/\\evil.example/x',
  'http://api.example/x',
])('TR-17: under a base URL %s is refused before anything is sent', async (path) => {
  const names = { 'api.example': ['93.184.216.34'], 'evil.example': ['93.184.216.35'] }
  const options: SafeFetchOptions = {
    baseUrl: 'https://api.example/v1/',
    credentials: { 'https://api.example': { authorization: 'Bearer secret' } },
  }
  const world = await openWorld(text('reached'), options, names)
  expect(await rejection(world.safeFetch(path))).toMatchObject({ code: 'blocked', reason: 'origin' })
  expect(world.dials).toEqual([])
})

it('TR-17: relative inputs are resolved against the base URL', async () => {
  const world = await openWorld(text('reached'), { baseUrl: 'https://a.example/v1/' })
  await world.safeFetch('items?page=2')
  await world.safeFetch.request('/root')
  expect(world.seen.map(({ url }) => url)).toEqual([
    'https://a.example/v1/items?page=2',
    'https://a.example/root',
  ])
})

it('TR-18: every refusal is an ordinary rejection', async () => {
  const uncaught = vi.fn()
  process.on('uncaughtException', uncaught)
  onTestFinished(() => {
    process.off('uncaughtException', uncaught)
  })
  const world = await openWorld(text('reached'), {}, { 'a.example': ['127.0.0.1'], 'empty.example': [] })
  const calls = [
    world.safeFetch('http://127.0.0.1/'),
    world.safeFetch('http://a.example/'),
    world.safeFetch('https://a.example/'),
    world.safeFetch('http://empty.example/'),
    world.safeFetch('http://unknown.example/'),
    world.safeFetch('http://b.example/', { socketPath: '/x' } as RequestInit),
    world.safeFetch('http://b.example/', { dispatcher: 'theirs' } as object),
    world.safeFetch.request('http://b.example/', { socketPath: '/x' } as object),
    world.safeFetch('http://b.example/', { integrity: 'sha256-x' }),
    world.safeFetch(new Request('http://b.example/', { integrity: 'sha256-x' })),
  ]
  const errors = (await Promise.all(calls.map((call) => rejection(call)))) as { code: string }[]
  expect(errors.map(({ code }) => code)).toEqual([
    'blocked',
    'blocked',
    'blocked',
    'dns_failed',
    'dns_failed',
    'invalid_option',
    'invalid_option',
    'invalid_option',
    'invalid_option',
    'invalid_option',
  ])
  await new Promise((resolve) => setImmediate(resolve))
  expect(uncaught).not.toHaveBeenCalled()
  expect(world.dials).toEqual([])
})

it('TR-18: a resolver that throws, or answers twice, or answers nonsense, is a failed resolution', async () => {
  const broken = createSafeFetch({
    lookup: () => {
      throw new Error('broken')
    },
  })
  expect(await rejection(broken('http://a.example/'))).toMatchObject({ code: 'dns_failed' })
  const nonsense = createSafeFetch({
    lookup: (_hostname, _options, callback) => {
      callback(null, [{ address: 'not an address', family: 4 }])
      callback(null, '93.184.216.34', 4)
    },
  })
  expect(await rejection(nonsense('http://a.example/'))).toMatchObject({ code: 'blocked', reason: 'address' })
})

it('TR-18: an asynchronous resolver that rejects is a failed resolution', async () => {
  const cause = new Error('broken')
  const guarded = createSafeFetch({ lookup: () => Promise.reject(cause) })
  expect(await rejection(guarded('http://a.example/'))).toMatchObject({ code: 'dns_failed', cause })
})

it.each([
  ['a list of texts', ['93.184.216.34']],
  ['a list of nothing', [null]],
  ['objects without address', [{}, { address: 5, family: 4 }]],
  ['a number', 5],
  ['no answer', undefined],
])('TR-18: %s is a failed resolution', async (_name, answer) => {
  const guarded = createSafeFetch({
    lookup: (_hostname, _options, callback) => {
      setImmediate(callback, null, answer as never)
    },
  })
  expect(await rejection(guarded('http://a.example/'))).toMatchObject({ code: 'dns_failed' })
})

it('TR-18: the family of an answer is told from its text, not from what the resolver says', async () => {
  const dialled: unknown[] = []
  const server = await startServer((_request, response) => response.end('reached'))
  const guarded = createSafeFetch({
    lookup: (_hostname, _options, callback) => {
      callback(null, [{ address: '127.0.0.1', family: 6 }])
    },
    dangerouslyAllow: [server.host],
    onAttempt: ({ address }) => dialled.push(address),
  })
  await guarded.request(`http://a.example:${server.port}/`)
  expect(dialled).toEqual(['127.0.0.1'])
  await Promise.all([server.close(), guarded.close()])
})

it('TR-18: of a huge answer every address is judged and a few are dialled', async () => {
  const crowd = Array.from({ length: 5_000 }, (_item, index) => `93.184.${index >> 8}.${index & 0xff}`)
  const names = { 'a.example': [...crowd, '2606:4700::1'], 'b.example': [...crowd, '10.0.0.1'] }
  const world = await openWorld(text('reached'), {}, names)
  await world.safeFetch.request('http://a.example/')
  expect(world.dials.map(({ address }) => address)).toEqual([...crowd.slice(0, 8), '2606:4700::1'])
  expect(await rejection(world.safeFetch('http://b.example/'))).toMatchObject({ code: 'blocked' })
})

it('TR-18: both calling forms of a resolver are understood', async () => {
  const world = await openWorld(text('reached'), {
    lookup: (_hostname, _options, callback) => {
      callback(null, '93.184.216.34', 4)
    },
  })
  expect((await world.safeFetch('http://a.example/')).status).toBe(200)
})

it('TR-18: a server that dies while connecting is an ordinary rejection', async () => {
  const server: Server = createServer()
  const loopback = await listen(server, 'http')
  server.on('connection', (socket) => socket.destroy())
  const guarded = createSafeFetch({ dangerouslyAllow: [loopback.host] })
  expect(await rejection(guarded(loopback.origin))).toMatchObject({ code: 'network_error' })
  await loopback.close()
})

it('TR-18: an unsolicited upgrade is an ordinary rejection', async () => {
  const server = await startScriptedServer((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  )
  const guarded = createSafeFetch({ dangerouslyAllow: [server.host] })
  expect(await rejection(guarded(server.origin))).toMatchObject({ code: 'malformed_response' })
  await server.close()
})
