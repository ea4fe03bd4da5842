import { isIP } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { recordDials, startServer } from '@internal/loopback'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'

import { createSafeFetch, isSafeFetchError } from '../src/index.js'
import type { SafeFetch } from '../src/index.js'
import { openWorld, redirectTo, rejection, routes, text } from './world.js'

/**
 * A policy remembers the origin it allowed last, and a pool keeps the connections to it. These are attempts to make
 * either of them vouch for somebody else.
 */
const ALLOWED = 'http://a.example/'
const PRIVATE_URLS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost/',
  'http://a.localhost./',
  'http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/',
  'http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/',
  'http://127\u30020\u30020\u30021/',
  'http://a.example@127.0.0.1/',
  'http://a.example%2f@127.0.0.1/',
  'http://127.0.0.1\\@a.example/',
]

it.each(PRIVATE_URLS)('a redirect of a remembered origin does not lead to %s', async (target) => {
  const location = Buffer.from(target).toString('latin1')
  const world = await openWorld(routes({ [ALLOWED]: text('x'), [`${ALLOWED}go`]: redirectTo(location) }))
  await world.safeFetch.request(ALLOWED)
  for (let round = 0; round < 2; round++) {
    expect(await rejection(world.safeFetch.request(`${ALLOWED}go`))).toMatchObject({ code: 'blocked' })
    expect(await rejection(world.safeFetch.request(target))).toMatchObject({ code: 'blocked' })
  }
  expect(new Set(world.dials.map(({ address }) => address))).toEqual(new Set(['93.184.216.34']))
})

it('a remembered name that rebinds is judged at each new connection', async () => {
  const names = { 'a.example': [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '::ffff:10.0.0.1']] }
  const world = await openWorld(
    (_request, response) => response.setHeader('connection', 'close').end('x'),
    {},
    names,
  )
  await world.safeFetch.request(ALLOWED)
  for (let round = 0; round < 3; round++) {
    expect(await rejection(world.safeFetch.request(ALLOWED))).toMatchObject({
      code: 'blocked',
      reason: 'address',
    })
  }
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
})

it('a kept connection stays with its name when the name comes to mean another address', async () => {
  const names = { 'a.example': [['93.184.216.34'], ['127.0.0.1']], 'b.example': [['127.0.0.1']] }
  const world = await openWorld(text('x'), {}, names)
  for (let round = 0; round < 3; round++) {
    await world.safeFetch.request(ALLOWED)
    await nextTurn() // the connection is free again
  }
  expect(await rejection(world.safeFetch.request('http://b.example/'))).toMatchObject({ code: 'blocked' })
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
  expect(world.seen.every(({ headers }) => headers.host === 'a.example')).toBe(true)
})

it('an answer that reads otherwise the second time is dialled as it was judged', async () => {
  let reads = 0
  const answer = {
    family: 4,
    get address() {
      return reads++ === 0 ? '93.184.216.34' : '127.0.0.1'
    },
  }
  const answers = [answer]
  const world = await openWorld(text('x'), {
    lookup: (_hostname, _options, callback) => {
      callback(null, answers)
      answers.push({ address: '127.0.0.1', family: 4 })
    },
  })
  await world.safeFetch.request(ALLOWED)
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
})

it.each([
  ['the port', 'http://a.example:8080/', 'port'],
  ['the scheme, and with it the port', 'https://a.example/', 'port'],
  ['a user name', 'http://root@a.example/', 'userinfo'],
  ['a password', 'http://:x@a.example/', 'userinfo'],
])('%s makes another URL of a remembered one', async (_name, url, reason) => {
  const world = await openWorld(routes({ [ALLOWED]: text('x'), [`${ALLOWED}go`]: redirectTo(url) }), {
    allowedPorts: [80],
  })
  await world.safeFetch.request(ALLOWED)
  const expected = { code: 'blocked', reason }
  expect(await rejection(world.safeFetch.request(url))).toMatchObject(expected)
  expect(await rejection(world.safeFetch.request(`${ALLOWED}go`))).toMatchObject(expected)
})

it('what a policy allows, another does not', async () => {
  const server = await startServer((_request, response) => response.end('x'))
  const open = createSafeFetch({ dangerouslyAllow: [server.host] })
  const strict = createSafeFetch()
  onTestFinished(async () => {
    await Promise.all([open.close(), strict.close(), server.close()])
  })
  for (let round = 0; round < 3; round++) {
    expect((await open.request(server.origin)).status).toBe(200)
    await nextTurn()
    expect(await rejection(strict.request(server.origin))).toMatchObject({ code: 'blocked' })
  }
  expect(server.connectionCount).toBe(1)
})

it('options that change after the fetch was made change nothing', async () => {
  const server = await startServer((_request, response) => response.end('x'))
  const options = {
    dangerouslyAllow: ['203.0.113.1'],
    allowedPorts: [80],
    baseUrl: new URL(ALLOWED),
    credentials: { 'http://a.example': { authorization: 'a' } },
  }
  const world = await openWorld(text('x'), options)
  await world.safeFetch.request('/')
  options.dangerouslyAllow.push('127.0.0.0/8')
  options.allowedPorts.push(server.port)
  options.baseUrl.href = server.origin
  options.credentials['http://a.example'].authorization = 'b'
  expect(await rejection(world.safeFetch.request(`${server.origin}/`))).toMatchObject({ code: 'blocked' })
  await world.safeFetch.request('/')
  expect(world.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    [ALLOWED, 'a'],
    [ALLOWED, 'a'],
  ])
  await server.close()
})

it('a URL object that changes while it is used is what it was at the call', async () => {
  const world = await openWorld(text('x'))
  const url = new URL(ALLOWED)
  const headers: Record<string, string> = { 'x-a': '1' }
  const calls = [world.safeFetch.request(url, { headers }), world.safeFetch(url, { headers })]
  url.href = 'http://127.0.0.1/'
  headers['host'] = '127.0.0.1'
  headers['x-a'] = '2'
  await Promise.all(calls)
  expect(world.seen.map((request) => [request.url, request.headers['x-a']])).toEqual([
    [ALLOWED, '1'],
    [ALLOWED, '1'],
  ])
  expect(await rejection(world.safeFetch.request(url))).toMatchObject({ code: 'blocked' })
})

it('a URL object that lies about its origin is read from its text', async () => {
  const lying = Object.defineProperties(new URL('http://127.0.0.1/'), {
    origin: { value: 'http://a.example' },
    hostname: { value: 'a.example' },
    href: { value: ALLOWED },
  })
  const world = await openWorld(text('x'))
  await world.safeFetch.request(ALLOWED)
  const error = { code: 'blocked', reason: 'address' }
  expect(await rejection(world.safeFetch.request(lying))).toMatchObject(error)
  expect(await rejection(world.safeFetch(lying))).toMatchObject(error)
})

it.each(['core', 'facade'])('%s: a text that changes with each reading is read once', async (side) => {
  const world = await openWorld(text('x'))
  let reads = 0
  const url = { toString: () => (reads++ === 0 ? ALLOWED : 'http://127.0.0.1/') } as never
  await (side === 'core' ? world.safeFetch.request(url) : world.safeFetch(url))
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
  expect(world.seen).toMatchObject([{ url: ALLOWED }])
})

it('a Host field of the caller does not choose another site behind the connection', async () => {
  const world = await openWorld(text('x'))
  await world.safeFetch.request(ALLOWED, { headers: { Host: 'localhost', 'hOST ': 'x' } }).catch(() => 0)
  await world.safeFetch.request(ALLOWED, { headers: { Host: 'localhost' } })
  expect(world.seen.map(({ url }) => url)).toEqual([ALLOWED])
})

it('spellings of a remembered host reach that host; its root form is another origin with a pool of its own', async () => {
  const names = { 'a.example': ['93.184.216.34'], 'a.example.': ['10.0.0.1'] }
  const world = await openWorld(text('x'), {}, names)
  for (const url of [ALLOWED, 'http://A.EXAMPLE:80/', 'http://\uff41.example/', 'http://a\u3002example/']) {
    await world.safeFetch.request(url)
  }
  expect(await rejection(world.safeFetch.request('http://a.example./'))).toMatchObject({ code: 'blocked' })
  expect(world.seen.every(({ url }) => url === ALLOWED)).toBe(true)
})

it('a chain that is under way when the fetch is closed leaves no guard behind', async () => {
  let closing: Promise<void> | undefined
  const world = await openWorld(
    routes({
      [ALLOWED]: (request, response) => {
        closing = world.safeFetch.close()
        redirectTo('http://127.0.0.1/')(request, response)
      },
    }),
  )
  expect(await rejection(world.safeFetch.request(ALLOWED))).toMatchObject({ code: 'blocked' })
  await closing
  expect(world.dials).toEqual([{ address: '93.184.216.34', port: 80 }])
})

const HOSTS = [
  'a.example',
  'b.example',
  'a.example.',
  '127.0.0.1',
  '93.184.216.34',
  '[::1]',
  '[2606:4700::1111]',
  'localhost',
]
const url = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'ftp://'),
    fc.constantFrom('', '', '', 'a.example@'),
    fc.constantFrom(...HOSTS),
    fc.constantFrom('', '', ':80', ':443', ':8080', ':25'),
  )
  .map((parts) => `${parts.join('')}/`)

it('whatever came before, the verdict is that of a fetch that has seen nothing', async () => {
  const recorder = recordDials(() => null)
  onTestFinished(recorder.restore)
  const options = {
    allowedPorts: [80, 443],
    lookup: (hostname: string, _options: unknown, callback: (error: null, address: string) => void) => {
      setImmediate(callback, null, hostname === 'b.example' ? '10.0.0.1' : '93.184.216.34')
    },
  }
  let allowed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(url, { minLength: 2, maxLength: 8 }), async (urls) => {
      const used = createSafeFetch(options)
      for (const one of urls) {
        const fresh = createSafeFetch(options)
        const expected = await verdict(fresh, one)
        expect(await verdict(used, one)).toEqual(expected)
        if (expected[0] !== 'blocked') allowed++
        await fresh.close()
      }
      await used.close()
    }),
    { numRuns: 150 },
  )
  expect(allowed).toBeGreaterThan(50)
  expect(recorder.dials.filter(({ address }) => isIP(address) === 4 && address !== '93.184.216.34')).toEqual(
    [],
  )
})

async function verdict({ request }: SafeFetch, text: string): Promise<readonly unknown[]> {
  const error = await rejection(request(text))
  return isSafeFetchError(error) ? [error.code, error.reason, error.message] : [error]
}
