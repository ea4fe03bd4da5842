import { getEventListeners } from 'node:events'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import { startScriptedServer, startServer } from '@internal/loopback'
import type { Script, ScriptedServer } from '@internal/loopback'
import { expect, it, onTestFinished, vi } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import type { SafeFetch, SafeFetchOptions } from '../src/index.js'
import { rejection } from './world.js'

interface Scripted extends ScriptedServer {
  readonly safeFetch: SafeFetch
}

async function scripted(script: Script, options: SafeFetchOptions = {}): Promise<Scripted> {
  const server = await startScriptedServer(script)
  const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host], ...options })
  onTestFinished(async () => {
    await server.close()
    await safeFetch.close()
  })
  return { ...server, safeFetch }
}

async function encoded(
  encoding: string,
  body: Uint8Array,
  options: SafeFetchOptions = {},
): Promise<[SafeFetch, string]> {
  const server = await startServer((_request, response) => {
    response.writeHead(200, {
      'content-encoding': encoding,
      'content-length': body.byteLength,
      'x-kept': '1',
    })
    response.end(body)
  })
  const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host], ...options })
  onTestFinished(async () => {
    await server.close()
    await safeFetch.close()
  })
  return [safeFetch, server.origin]
}

/** Reads a body in both ways: through the core and through the fetch. */
async function readBoth(safeFetch: SafeFetch, url: string): Promise<unknown[]> {
  return [
    await rejectionOrText(safeFetch.request(url).then(({ body }) => Buffer.from(body).toString())),
    await rejectionOrText(safeFetch(url).then((response) => response.text())),
  ]
}

function rejectionOrText(promise: Promise<string>): Promise<unknown> {
  return promise.catch((error: unknown) => error)
}

const TEN_THOUSAND = 'x'.repeat(10_000)
const ENCODINGS: [string, Buffer][] = [
  ['gzip', gzipSync(TEN_THOUSAND)],
  ['x-gzip', gzipSync(TEN_THOUSAND)],
  ['deflate', deflateSync(TEN_THOUSAND)],
  ['deflate', deflateRawSync(TEN_THOUSAND)],
  ['br', brotliCompressSync(TEN_THOUSAND)],
  ['br, gzip', gzipSync(brotliCompressSync(TEN_THOUSAND))],
  ['gzip, br', brotliCompressSync(gzipSync(TEN_THOUSAND))],
  ['gzip, deflate', deflateRawSync(gzipSync(TEN_THOUSAND))],
  ['GZIP,, identity', gzipSync(TEN_THOUSAND)],
]

it.each(ENCODINGS)('LM-03: %s is limited after decoding', async (encoding, body) => {
  const [safeFetch, url] = await encoded(encoding, body, { maxResponseBytes: 9_999 })
  const error = { code: 'response_too_large', limitBytes: 9_999 }
  expect(await readBoth(safeFetch, url)).toMatchObject([error, error])
})

it.each(ENCODINGS)('LM-03: %s of exactly the limit passes', async (encoding, body) => {
  const [safeFetch, url] = await encoded(encoding, body, { maxResponseBytes: 10_000 })
  expect(await readBoth(safeFetch, url)).toEqual([TEN_THOUSAND, TEN_THOUSAND])
})

it('LM-03: a bomb of many layers stops at the limit', async () => {
  let bomb: Buffer = Buffer.alloc(50_000_000)
  for (let layer = 0; layer < 3; layer++) bomb = gzipSync(bomb)
  const [safeFetch, url] = await encoded('gzip, gzip, gzip', bomb, { maxResponseBytes: 100_000 })
  const error = { code: 'response_too_large' }
  expect(await readBoth(safeFetch, url)).toMatchObject([error, error])
})

it('LM-03: a bomb between two layers stops, even if nothing comes out at the end', async () => {
  const emptyMembers = Buffer.concat(new Array<Buffer>(20_000).fill(gzipSync('')))
  const bomb = brotliCompressSync(emptyMembers)
  const [safeFetch, url] = await encoded('gzip, br', bomb, { maxResponseBytes: 10_000 })
  const error = { code: 'response_too_large', limitBytes: 10_000 }
  expect(bomb.byteLength).toBeLessThan(10_000)
  expect(await readBoth(safeFetch, url)).toMatchObject([error, error])
})

it.each([
  ['deflate', deflateSync('whole')],
  ['deflate', deflateRawSync('whole')],
  ['br', brotliCompressSync('whole')],
  ['br, deflate', deflateSync(Buffer.concat([brotliCompressSync('whole'), Buffer.alloc(300_000, 1)]))],
])('LM-09: bytes after the end of %s data keep nobody waiting', async (encoding, body) => {
  const [safeFetch, url] = await encoded(encoding, Buffer.concat([body, Buffer.alloc(300_000, 65)]))
  expect(await readBoth(safeFetch, url)).toEqual(['whole', 'whole'])
})

it('LM-03: more than five codings are refused', async () => {
  const [safeFetch, url] = await encoded('gzip, gzip, gzip, gzip, gzip, gzip', gzipSync('x'))
  const error = { code: 'unsupported_content_encoding' }
  expect(await readBoth(safeFetch, url)).toMatchObject([error, error])
})

it('LM-03: a declared length beyond the limit is refused before a byte of the body', async () => {
  const { safeFetch, origin } = await scripted(
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n'),
    { maxResponseBytes: 1_000 },
  )
  const error = { code: 'response_too_large', limitBytes: 1_000 }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it('LM-03: a body of unknown length is cut off at the limit', async () => {
  const { safeFetch, origin } = await scripted(
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
      const pump = (): void => {
        while (!socket.destroyed && socket.write(TEN_THOUSAND));
      }
      socket.on('drain', pump)
      pump()
    },
    { maxResponseBytes: 100_000 },
  )
  const error = { code: 'response_too_large' }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it('LM-03: a body in chunks of one byte costs little more than its bytes', async () => {
  const length = 300_000
  const [head, part] = ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n']
  const { safeFetch, origin } = await scripted((socket) =>
    socket.write(`${head}${part.repeat(length)}0\r\n\r\n`),
  )
  const { body } = await safeFetch.request(origin)
  expect(body.byteLength).toBe(length)
  expect(body.buffer.byteLength).toBe(length)
})

it('LM-03: a flood of headers has its own limit and code', async () => {
  const { safeFetch, origin } = await scripted(
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: yyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(1_000)}\r\n`),
    { maxResponseHeaderBytes: 8_192 },
  )
  const error = { code: 'response_headers_too_large', limitBytes: 8_192 }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it('LM-04: a decoded body leaves no content-length and no content-encoding behind', async () => {
  const [safeFetch, url] = await encoded('gzip', gzipSync('hello'))
  const response = await safeFetch(url)
  const core = await safeFetch.request(url)
  expect([...response.headers.keys()]).not.toContain('content-length')
  expect([...response.headers.keys()]).not.toContain('content-encoding')
  expect(core.headers).not.toHaveProperty('content-length')
  expect(core.headers).not.toHaveProperty('content-encoding')
  expect(response.headers.get('x-kept')).toBe('1')
  expect(core.headers['x-kept']).toBe('1')
})

it('LM-04: a body that was not encoded keeps its length', async () => {
  const { safeFetch, origin } = await scripted((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
  )
  expect((await safeFetch(origin)).headers.get('content-length')).toBe('2')
})

it('LM-04: a coding that nobody registered is left alone', async () => {
  const [safeFetch, url] = await encoded('utf-8', Buffer.from('plain'))
  const response = await safeFetch(url)
  expect(response.headers.get('content-encoding')).toBe('utf-8')
  expect(await response.text()).toBe('plain')
})

it.each(['HEAD', 'GET'])('LM-04: %s without a body decodes nothing', async (method) => {
  const { safeFetch, origin } = await scripted((socket) =>
    socket.end(
      `HTTP/1.1 ${method === 'HEAD' ? '200 OK' : '304 Not Modified'}\r\ncontent-encoding: gzip\r\ncontent-length: 99999999\r\n\r\n`,
    ),
  )
  const response = await safeFetch(origin, { method })
  expect(response.body).toBeNull()
  expect(response.headers.get('content-length')).toBe('99999999')
  expect((await safeFetch.request(origin, { method })).body).toHaveLength(0)
})

it('LM-04: an empty body is empty, whatever its coding', async () => {
  const [safeFetch, url] = await encoded('gzip', Buffer.alloc(0))
  expect(await readBoth(safeFetch, url)).toEqual(['', ''])
})

function chunk(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

const CHUNKED_GZIP = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-encoding: gzip\r\n\r\n'

it('LM-05: an encoded body in chunks is decoded', async () => {
  const body = gzipSync('hello')
  const { safeFetch, origin } = await scripted((socket) => {
    socket.write(CHUNKED_GZIP)
    for (const byte of body) socket.write(chunk(Uint8Array.of(byte)))
    socket.write('0\r\n\r\n')
  })
  expect(await readBoth(safeFetch, origin)).toEqual(['hello', 'hello'])
})

it.each([
  ['a declared length', 'content-length: 10\r\n\r\n123'],
  ['chunks', 'transfer-encoding: chunked\r\n\r\n5\r\n123'],
  ['a chunk that never comes', 'transfer-encoding: chunked\r\n\r\n3\r\n123\r\n'],
])('LM-06: a body shorter than %s is an error', async (_name, rest) => {
  const { safeFetch, origin } = await scripted((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
  const error = { code: 'truncated_response' }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it('LM-06: framing that breaks inside a body is malformed, not short', async () => {
  const { safeFetch, origin } = await scripted((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n123\r\nnonsense\r\n'),
  )
  const error = { code: 'malformed_response' }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it.each([
  'not HTTP at all\r\n\r\n',
  'HTTP/1.1 two hundred\r\n\r\n',
  'HTTP/1.1 200 OK\r\nbad header\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
  'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(101)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`,
])('LM-06: %j is malformed', async (response) => {
  const { safeFetch, origin } = await scripted((socket) => socket.write(response))
  const error = { code: 'malformed_response' }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it('LM-06: a hundred interim responses are none too many', async () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'.repeat(100)
  const { safeFetch, origin } = await scripted((socket) =>
    socket.write(`${hints}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`),
  )
  expect(await readBoth(safeFetch, origin)).toEqual(['ok', 'ok'])
})

it.each(['204 No Content', '304 Not Modified'])(
  'LM-06: a %s that declares a length has no body',
  async (status) => {
    const { safeFetch, origin } = await scripted((socket) =>
      socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 5\r\n\r\n`),
    )
    expect(await readBoth(safeFetch, origin)).toEqual(['', ''])
  },
)

it('LM-06: a connection closed before the headers is an error of its own', async () => {
  const { safeFetch, origin } = await scripted((socket) => socket.end('HTTP/1.1 200 OK\r\nx: '))
  const error = { code: 'network_error' }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it('LM-07: bytes beyond the declared length never become the next response', async () => {
  const { safeFetch, origin, requests } = await scripted((socket, { path }) => {
    if (path === '/first')
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil',
      )
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ngood')
  })
  const first = await safeFetch.request(`${origin}/first`)
  const second = await safeFetch.request(`${origin}/second`)
  expect(Buffer.from(first.body).toString()).toBe('1')
  expect(Buffer.from(second.body).toString()).toBe('good')
  expect(requests.map(({ path }) => path)).toEqual(['/first', '/second'])
})

it.each(ENCODINGS)('LM-09: %s cut short is an error', async (encoding, body) => {
  const cut = body.subarray(0, Math.floor(body.byteLength / 2))
  const [safeFetch, url] = await encoded(encoding, cut)
  const error = { code: 'decode_failed' }
  expect(await readBoth(safeFetch, url)).toMatchObject([error, error])
})

it('LM-09: a body that is not what it says is an error', async () => {
  const [safeFetch, url] = await encoded('br', Buffer.from('this is not brotli at all'))
  const error = { code: 'decode_failed' }
  expect(await readBoth(safeFetch, url)).toMatchObject([error, error])
})

const DRIPS: [string, Script][] = [
  [
    'a body',
    (socket) => {
      drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', 'x')
    },
  ],
  [
    'headers',
    (socket) => {
      drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'y')
    },
  ],
  [
    'early hints',
    (socket) => {
      drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')
    },
  ],
  ['nothing at all', () => undefined],
]

function drip(socket: Parameters<Script>[0], start: string, next: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(next), 20)
  socket.on('close', () => {
    clearInterval(timer)
  })
}

it('LM-13: an abort ends a decoding that outlasts its connection', async () => {
  const body = gzipSync(Buffer.alloc(50_000_000))
  const [safeFetch, url] = await encoded('gzip', body, { maxResponseBytes: 100_000_000 })
  const controller = new AbortController()
  const response = await safeFetch(url, { signal: controller.signal })
  const reader = response.body!.getReader()
  await reader.read()
  const reason = new Error('mine')
  controller.abort(reason)
  const drain = async (): Promise<void> => {
    while (!(await reader.read()).done);
  }
  expect(await rejection(drain())).toBe(reason)
})

it.each(DRIPS)('LM-11, LM-15: a server that drips %s meets the deadline', async (_name, script) => {
  const { safeFetch, origin } = await scripted(script, { timeoutMs: 150 })
  const error = { name: 'TimeoutError', code: 'timeout', timeoutMs: 150 }
  expect(await readBoth(safeFetch, origin)).toMatchObject([error, error])
})

it('LM-11: the deadline holds across redirects', async () => {
  const { safeFetch, origin } = await scripted(
    (socket, { index }) => {
      const timer = setTimeout(
        () => socket.write(`HTTP/1.1 302 Found\r\nlocation: /${index}\r\ncontent-length: 0\r\n\r\n`),
        60,
      )
      socket.on('close', () => {
        clearTimeout(timer)
      })
    },
    { timeoutMs: 200, maxRedirects: 100 },
  )
  expect(await rejection(safeFetch(origin))).toMatchObject({ code: 'timeout' })
})

it('LM-13: the deadline is a TimeoutError, an abort is the reason it was given', async () => {
  const { safeFetch, origin } = await scripted(DRIPS[0]![1], { timeoutMs: 150 })
  const timedOut = await safeFetch(origin)
  expect(await rejection(timedOut.text())).toMatchObject({ name: 'TimeoutError', code: 'timeout' })

  for (const reason of [undefined, new Error('mine'), 'text']) {
    const controller = new AbortController()
    const response = await safeFetch(origin, { signal: controller.signal })
    const reading = rejection(response.text())
    controller.abort(reason)
    expect(await reading).toBe(controller.signal.reason as unknown)
  }
})

it('LM-13: an abort before, while connecting and while waiting rejects with its reason', async () => {
  const { safeFetch, origin, requests } = await scripted(() => undefined)
  const reason = new Error('mine')
  expect(await rejection(safeFetch(origin, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(await rejection(safeFetch.request(origin, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(requests).toEqual([])

  const controller = new AbortController()
  const calls = [
    rejection(safeFetch(origin, { signal: controller.signal })),
    rejection(safeFetch.request(origin, { signal: controller.signal })),
  ]
  await vi.waitFor(() => {
    expect(requests).toHaveLength(2)
  })
  controller.abort(reason)
  expect(await Promise.all(calls)).toEqual([reason, reason])
})

it('LM-14: a signal that lives long keeps no listeners', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  const { safeFetch, origin } = await scripted((socket, { path }) =>
    socket.write(
      path === '/redirect'
        ? 'HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'
        : 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    ),
  )
  const { signal } = new AbortController()
  for (let call = 0; call < 50; call++) {
    await (await safeFetch(`${origin}/redirect`, { signal })).text()
    await safeFetch.request(origin, { signal })
    await rejection(safeFetch('http://127.0.0.1:1/', { signal }))
  }
  // And fifty at once: one listener for all.
  const bodies = Array.from({ length: 50 }, () => safeFetch.request(origin, { signal }))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await Promise.all(bodies)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})
