import { Readable } from 'node:stream'

import { startScriptedServer } from '@internal/loopback'
import { Request as UndiciRequest } from 'undici'
import { expect, expectTypeOf, it, onTestFinished } from 'vitest'

import { createSafeFetch, SafeFetchError } from '../src/index.js'
import type { SafeFetch } from '../src/index.js'
import { openWorld, redirectTo, rejection, routes, text } from './world.js'

const echo = openWorld.bind(null, (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ method: request.method, headers: request.headers, body: request.body }))
})

interface Echo {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
}

it('the fetch has the type of fetch', () => {
  expectTypeOf<SafeFetch>().toExtend<typeof globalThis.fetch>()
  expectTypeOf<SafeFetch['close']>().returns.resolves.toBeVoid()
  expectTypeOf<Awaited<ReturnType<SafeFetch['request']>>['body']>().toEqualTypeOf<Uint8Array>()
})

it('a response is a Response of the platform', async () => {
  const { safeFetch } = await openWorld((_request, response) => {
    response.writeHead(201, 'Made', { 'set-cookie': ['a=1', 'b=2'], 'x-list': ['1', '2'] }).end('made')
  })
  const response = await safeFetch('http://a.example/x#fragment')
  expect(response).toBeInstanceOf(Response)
  expect(response).toMatchObject({
    ok: true,
    status: 201,
    statusText: 'Made',
    url: 'http://a.example/x',
    redirected: false,
    type: 'basic',
    bodyUsed: false,
  })
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(response.headers.get('x-list')).toBe('1, 2')
  expect(await response.text()).toBe('made')
  expect(response.bodyUsed).toBe(true)
})

it('a clone has its own body and the same description', async () => {
  const { safeFetch } = await openWorld(
    routes({ 'http://a.example/': redirectTo('/b'), 'http://a.example/b': text('b') }),
  )
  const response = await safeFetch('http://a.example/')
  const clone = response.clone()
  expect(clone).toMatchObject({ url: 'http://a.example/b', redirected: true, type: 'basic' })
  expect(clone.clone().url).toBe('http://a.example/b')
  expect([await response.text(), await clone.text()]).toEqual(['b', 'b'])
})

it('a status line in any letters is no obstacle', async () => {
  const { safeFetch } = await openWorld((_request, response) => {
    response.socket?.end('HTTP/1.1 200 \u00fc\u4e2d\r\nx-latin: caf\xe9\r\ncontent-length: 0\r\n\r\n', 'utf8')
  })
  expect((await safeFetch('http://a.example/')).statusText).toBe('')
})

it.each([204, 205, 304])('a %i has no body', async (status) => {
  const { safeFetch } = await openWorld((_request, response) => response.writeHead(status).end())
  expect((await safeFetch('http://a.example/')).body).toBeNull()
})

it('a body can be read byte by byte into a buffer of the reader', async () => {
  const { safeFetch } = await openWorld(text('hello'))
  const { body } = await safeFetch('http://a.example/')
  const reader = body!.getReader({ mode: 'byob' })
  const first = await reader.read(new Uint8Array(2))
  expect(Buffer.from(first.value!).toString()).toBe('he')
  const rest = await reader.read(new Uint8Array(10))
  expect(Buffer.from(rest.value!).toString()).toBe('llo')
  expect((await reader.read(new Uint8Array(1))).done).toBe(true)
})

it('a reader sets the pace, and may leave', async () => {
  let isClosed = false
  let sentBytes = 0
  const { safeFetch } = await openWorld(
    (_request, response) => {
      response.on('close', () => (isClosed = true))
      const pump = (): void => {
        do sentBytes += 65_536
        while (!isClosed && response.write(Buffer.alloc(65_536)))
      }
      response.on('drain', pump)
      pump()
    },
    { maxResponseBytes: 1_000_000_000 },
  )
  const reader = (await safeFetch('http://a.example/')).body!.getReader()
  await reader.read()
  // Unread, the server is held back: nothing moves for many turns of the event loop, far from the end of its data.
  for (let idleTurns = 0, before = 0; idleTurns < 200; idleTurns++, before = sentBytes) {
    await new Promise((resolve) => setImmediate(resolve))
    if (sentBytes !== before) idleTurns = 0
  }
  expect(sentBytes).toBeLessThan(500_000_000)
  await reader.cancel()
  await expect.poll(() => isClosed).toBe(true)
})

it.each<[string, RequestInit['body'], string | undefined, string]>([
  ['text', 'text ü', 'text/plain;charset=UTF-8', 'text ü'],
  ['bytes', new TextEncoder().encode('bytes'), undefined, 'bytes'],
  ['a buffer', new TextEncoder().encode('buffer').buffer, undefined, 'buffer'],
  ['a view', new DataView(new TextEncoder().encode('xviewx').buffer, 1, 4), undefined, 'view'],
  [
    'parameters',
    new URLSearchParams({ a: 'b c' }),
    'application/x-www-form-urlencoded;charset=UTF-8',
    'a=b+c',
  ],
  ['a blob', new Blob(['blob'], { type: 'text/x-blob' }), 'text/x-blob', 'blob'],
  ['a stream', new Blob(['stream']).stream(), undefined, 'stream'],
  ['an iterable', Readable.from([Buffer.from('itera'), Buffer.from('ble')]), undefined, 'iterable'],
])('a body of %s is sent', async (_name, body, contentType, expected) => {
  const { safeFetch } = await echo()
  const response = await safeFetch('http://a.example/', { method: 'POST', body: body!, duplex: 'half' })
  const seen = (await response.json()) as Echo
  expect(seen).toMatchObject({ method: 'POST', body: expected })
  expect(seen.headers['content-type']).toBe(contentType)
})

it('a form is sent with its boundary', async () => {
  const { safeFetch } = await echo()
  const form = new FormData()
  form.set('field', 'value')
  const seen = (await (await safeFetch('http://a.example/', { method: 'POST', body: form })).json()) as Echo
  const boundary = /boundary=(.+)$/.exec(seen.headers['content-type'] ?? '')?.[1]
  expect(seen.body).toContain(`${boundary ?? 'none'}\r\nContent-Disposition: form-data; name="field"`)
})

it.each([
  ['the platform', Request],
  ['undici', UndiciRequest as unknown as typeof Request],
])('a Request of %s is understood, and the init goes before it', async (_name, AnyRequest) => {
  const { safeFetch } = await echo()
  const request = new AnyRequest('http://a.example/', {
    method: 'PUT',
    headers: { 'x-from': 'request', 'content-type': 'text/x-own' },
    body: 'body',
  })
  const seen = (await (await safeFetch(request.clone())).json()) as Echo
  expect(seen).toMatchObject({
    method: 'PUT',
    body: 'body',
    headers: { 'x-from': 'request', 'content-type': 'text/x-own' },
  })

  const changed = await safeFetch(request, {
    method: 'PATCH',
    headers: { 'x-from': 'init' },
    body: 'other',
  })
  expect(await changed.json()).toMatchObject({
    method: 'PATCH',
    body: 'other',
    headers: { 'x-from': 'init' },
  })
})

it('a Request with a small body can follow a redirect that repeats it', async () => {
  const { safeFetch, seen } = await openWorld(
    routes({ 'http://a.example/': redirectTo('/b', 307), 'http://a.example/b': text('end') }),
  )
  await safeFetch(new Request('http://a.example/', { method: 'POST', body: 'again' }))
  expect(seen.map(({ body }) => body)).toEqual(['again', 'again'])
})

it('a Request with a large body is streamed', async () => {
  const { safeFetch, seen } = await openWorld(text('end'))
  const body = 'x'.repeat(300_000)
  await safeFetch(new Request('http://a.example/', { method: 'POST', body }))
  expect(seen[0]?.body).toBe(body)
  expect(seen[0]?.headers['transfer-encoding']).toBe('chunked')
})

it('a Request that was used is refused', async () => {
  const { safeFetch } = await echo()
  const request = new Request('http://a.example/', { method: 'POST', body: 'once' })
  await request.text()
  expect(await rejection(safeFetch(request))).toMatchObject({ code: 'invalid_option' })
})

it('the signal of a Request aborts', async () => {
  const { safeFetch } = await openWorld(() => undefined)
  const reason = new Error('mine')
  const request = new Request('http://a.example/', { signal: AbortSignal.abort(reason) })
  expect(await rejection(safeFetch(request))).toBe(reason)
})

it('redirect: error and manual are what they are in fetch', async () => {
  const { safeFetch, seen } = await openWorld(routes({ 'http://a.example/': redirectTo('/b') }))
  expect(await rejection(safeFetch('http://a.example/', { redirect: 'error' }))).toMatchObject({
    code: 'redirect_refused',
  })
  const response = await safeFetch('http://a.example/', { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([302, '/b'])
  expect(seen).toHaveLength(2)
})

it.each([301, 302, 303, 307, 308])(
  'a %i without Location is a response, but not where redirects are an error',
  async (status) => {
    const { safeFetch } = await openWorld((_request, response) => response.writeHead(status).end('x'))
    for (const redirect of ['follow', 'manual'] as const) {
      expect((await safeFetch('http://a.example/', { redirect })).status).toBe(status)
      expect((await safeFetch.request('http://a.example/', { redirect })).status).toBe(status)
    }
    const error = { code: 'redirect_refused', url: 'http://a.example/' }
    expect(await rejection(safeFetch('http://a.example/', { redirect: 'error' }))).toMatchObject(error)
    expect(await rejection(safeFetch.request('http://a.example/', { redirect: 'error' }))).toMatchObject(
      error,
    )
  },
)

it.each([300, 305, 306])('a %i is no redirect, whatever its Location', async (status) => {
  const { safeFetch } = await openWorld((_request, response) =>
    response.writeHead(status, { location: '/b' }).end('x'),
  )
  expect((await safeFetch('http://a.example/', { redirect: 'error' })).status).toBe(status)
})

it('the redirect limit and a circle end a chain', async () => {
  const { safeFetch } = await openWorld((request, response) => {
    const count = Number(new URL(request.url).searchParams.get('n'))
    response
      .writeHead(302, { location: request.url.includes('circle') ? '/circle' : `/?n=${count + 1}` })
      .end()
  })
  expect(await rejection(safeFetch('http://a.example/'))).toMatchObject({
    code: 'too_many_redirects',
    maxRedirects: 10,
  })
  expect(await rejection(safeFetch('http://a.example/circle'))).toMatchObject({ code: 'redirect_loop' })
  const strict = safeFetch.request('http://a.example/', { maxRedirects: 0 })
  expect(await rejection(strict)).toMatchObject({ code: 'too_many_redirects', maxRedirects: 0 })
})

it('a malformed Location is an error of its own', async () => {
  const { safeFetch } = await openWorld(redirectTo('http://[nonsense/'))
  expect(await rejection(safeFetch('http://a.example/'))).toMatchObject({ code: 'invalid_redirect' })
})

it('a Location in UTF-8 is followed', async () => {
  const { safeFetch } = await openWorld((request, response) => {
    if (request.url.endsWith('/'))
      response.socket?.write('HTTP/1.1 302 Found\r\nlocation: /ü\r\ncontent-length: 0\r\n\r\n')
    else response.end('there')
  })
  expect((await safeFetch('http://a.example/')).url).toBe('http://a.example/%C3%BC')
})

it.each([
  ['a method Fetch forbids', { method: 'CONNECT' }],
  ['a method that is no token', { method: 'GET x' }],
  ['a body for GET', { method: 'GET', body: 'x' }],
  ['a redirect mode that is none', { redirect: 'maybe' }],
] as const)('%s is refused before anything is sent', async (_name, init) => {
  const { safeFetch, dials } = await echo()
  expect(await rejection(safeFetch('http://a.example/', init as RequestInit))).toMatchObject({
    code: 'invalid_option',
  })
  expect(await rejection(safeFetch.request('http://a.example/', init as object))).toMatchObject({
    code: 'invalid_option',
  })
  expect(dials).toEqual([])
})

it('headers that frame a message are the business of the transport', async () => {
  const { safeFetch } = await echo()
  const headers = {
    host: 'evil.example',
    connection: 'close',
    'content-length': '99',
    'transfer-encoding': 'chunked',
    te: 'x',
  }
  const { body } = await safeFetch.request('http://a.example/', { method: 'POST', body: 'abc', headers })
  const seen = JSON.parse(Buffer.from(body).toString()) as Echo
  expect(seen.headers).toMatchObject({ host: 'a.example', 'content-length': '3', connection: 'keep-alive' })
  expect(seen.headers).not.toHaveProperty('te')
})

it('a range is asked for without encoding', async () => {
  const { safeFetch } = await echo()
  const seen = (await (
    await safeFetch('http://a.example/', { headers: { range: 'bytes=0-1' } })
  ).json()) as Echo
  expect(seen.headers['accept-encoding']).toBe('identity')
})

it('the core gives headers without a prototype, whatever they are called', async () => {
  const { safeFetch } = await openWorld((_request, response) => {
    response.socket?.write(
      'HTTP/1.1 200 OK\r\n__proto__: 1\r\nconstructor: 2\r\nX-Twice: a\r\nx-twice: b\r\ncontent-length: 0\r\n\r\n',
    )
  })
  const { headers } = await safeFetch.request('http://a.example/')
  expect(Object.getPrototypeOf(headers)).toBeNull()
  expect(Object.entries(headers)).toEqual(
    expect.arrayContaining([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['x-twice', 'a, b'],
    ]),
  )
})

it('a status that HTTP does not have is malformed', async () => {
  const { safeFetch } = await openWorld((_request, response) => {
    response.socket?.end('HTTP/1.1 999 What\r\ncontent-length: 0\r\n\r\n')
  })
  expect(await rejection(safeFetch('http://a.example/'))).toMatchObject({ code: 'malformed_response' })
  expect(await rejection(safeFetch.request('http://a.example/'))).toMatchObject({
    code: 'malformed_response',
  })
})

it('an init is read at each call, unless it and its headers are frozen', async () => {
  const { safeFetch, seen } = await openWorld((_request, response) => response.end('x'))
  const headers = { 'x-number': '1' }
  for (const init of [{ headers }, Object.freeze({ headers })]) {
    headers['x-number'] = '1'
    await safeFetch.request('http://a.example/', init)
    headers['x-number'] = '2'
    await safeFetch.request('http://a.example/', init)
  }
  const frozen = Object.freeze({ headers: Object.freeze({ 'x-number': '3' }), maxResponseBytes: 1 })
  await safeFetch.request('http://a.example/', frozen)
  await safeFetch.request('http://a.example/', frozen)
  expect(seen.map((request) => request.headers['x-number'])).toEqual(['1', '2', '1', '2', '3', '3'])
})

it('bytes are told as they come, those of a body that fails too, and the listener may end it', async () => {
  const { safeFetch } = await openWorld(({ url }, response) => {
    response.write('x'.repeat(1000))
    setImmediate(() => {
      if (url.endsWith('/broken')) response.destroy()
      else response.end('y'.repeat(500))
    })
  })
  let count = 0
  const onBytes = (more: number): void => {
    count += more
  }
  const { body } = await safeFetch.request('http://a.example/whole', { onBytes })
  expect([count, body.byteLength]).toEqual([1500, 1500])
  count = 0
  expect(await rejection(safeFetch.request('http://a.example/broken', { onBytes }))).toMatchObject({
    code: 'truncated_response',
  })
  expect(count).toBe(1000)
  const enough = new Error('enough')
  const stop = (): never => {
    throw enough
  }
  expect(await rejection(safeFetch.request('http://a.example/whole', { onBytes: stop }))).toBe(enough)
  const wrong = safeFetch.request('http://a.example/', { onBytes: 5 as never })
  expect(await rejection(wrong)).toMatchObject({ code: 'invalid_option', option: 'onBytes' })
})

it('getters of a frozen init are read at each call', async () => {
  const { safeFetch, seen } = await openWorld((_request, response) => response.end('x'))
  let number = 0
  const count = (): string => String(++number)
  const ofHeaders = Object.freeze({
    headers: Object.freeze({
      get 'x-number'() {
        return count()
      },
    }),
  })
  const ofInit = Object.freeze({
    get headers() {
      return Object.freeze({ 'x-number': count() })
    },
  })
  for (const init of [ofHeaders, ofHeaders, ofInit, ofInit]) {
    await safeFetch.request('http://a.example/', init)
  }
  expect(seen.map((request) => request.headers['x-number'])).toEqual(['1', '2', '3', '4'])
})

it('a frozen init that is refused is refused again', async () => {
  const frozen = Object.freeze({ timeoutMs: NaN })
  for (let call = 0; call < 2; call++) {
    expect(await rejection(createSafeFetch().request('http://a.example/', frozen))).toMatchObject({
      code: 'invalid_option',
    })
  }
})

it.each([1, 100, 5_000, 200_000])('a body of %d bytes keeps little more memory than that', async (length) => {
  const { safeFetch } = await openWorld((_request, response) => {
    response.setHeader('x-long', 'x'.repeat(2_000)).end(Buffer.alloc(length, 'y'))
  })
  const { body } = await safeFetch.request('http://a.example/')
  expect(Object.getPrototypeOf(body)).toBe(Uint8Array.prototype)
  expect(Buffer.from(body).toString()).toBe('y'.repeat(length))
  expect(body.buffer.byteLength).toBeLessThanOrEqual(2 * length)
})

it('a close waits for what is under way, and a later call opens new connections', async () => {
  let finish = (): void => undefined
  const { safeFetch, server } = await openWorld((_request, response) => {
    response.write('half')
    finish = () => response.end('whole')
  })
  const first = await safeFetch('http://a.example/')
  const closing = safeFetch.close()
  finish()
  expect(await first.text()).toBe('halfwhole')
  await closing
  const second = await safeFetch('http://a.example/')
  finish()
  expect(await second.text()).toBe('halfwhole')
  expect(server.connectionCount).toBe(2)
})

it('a close waits for a whole chain, and leaves no connection of it open', async () => {
  const open = new Set<unknown>()
  const log: string[] = []
  let goOn = (): void => undefined
  const { safeFetch } = await openWorld(({ url }, response) => {
    const { socket } = response
    open.add(socket)
    socket?.once('close', () => open.delete(socket))
    if (url === 'http://b.example/') response.end('there')
    else {
      goOn = () => response.writeHead(302, { location: 'http://b.example/' }).end()
      asked()
    }
  })
  let asked = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const call = safeFetch.request('http://a.example/').then(({ url }) => log.push(url))
  await isAsked
  const closing = safeFetch.close().then(() => log.push('closed'))
  goOn()
  await Promise.all([call, closing])
  expect(log).toEqual(['http://b.example/', 'closed'])
  await expect.poll(() => open.size).toBe(0)
})

it('closing what was never used does nothing', async () => {
  await createSafeFetch().close()
})

it('a stream is let go of when the response is complete before it', async () => {
  const server = await startScriptedServer((socket) =>
    socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno'),
  )
  onTestFinished(() => server.close())
  const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host] })
  const cancelled = new Promise<string>((resolve) => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(1))
        return new Promise((next) => setImmediate(next))
      },
      cancel: () => {
        resolve('cancelled')
      },
    })
    void safeFetch(server.origin, { method: 'POST', body, duplex: 'half' })
  })
  expect(await cancelled).toBe('cancelled')
  await safeFetch.close()
})

it('a response passed on as a body that fails is the cause of the failure, not the failure', async () => {
  const world = await openWorld((_request, response) => response.end('x'))
  const inner = new SafeFetchError('timeout', 'The call took longer than 1 ms.', { timeoutMs: 1 })
  const body = new ReadableStream({
    start(controller) {
      controller.error(inner)
    },
  })
  const error = await rejection(
    world.safeFetch('http://a.example/', { method: 'POST', body, duplex: 'half' }),
  )
  expect(error).toMatchObject({ code: 'network_error', cause: inner })
})
