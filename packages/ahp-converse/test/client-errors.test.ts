import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { listen, type LoopbackServer } from '@internal/loopback'
import { afterEach, describe, expect, it } from 'vitest'
import { answerClientErrors, toNodeListener } from '../src/node.js'
import { type ConciergeConfig, defineConcierge, type SiteEvent } from '../src/server.js'
import { expectSendable } from './expect-sendable.js'

const BOOKS: ConciergeConfig = {
  name: 'Books',
  publicUrl: 'https://books.test',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  capabilities: { help: { description: 'Helps.', mode: 'MODE2', answer: () => ({ answer: 'Yes.' }) } },
}
const opened: LoopbackServer[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
})

async function open(
  read: `${number}/minute`,
  listener?: RequestListener,
  onRefused: () => void = () => undefined,
): Promise<LoopbackServer> {
  const concierge = defineConcierge({ ...BOOKS, limits: { unauthenticated: { read } } })
  const timeouts = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 }
  const server = createServer(
    { ...timeouts, requireHostHeader: false },
    listener ?? toNodeListener(concierge),
  )
  answerClientErrors(server, concierge)
  server.on('clientError', onRefused)
  const served = await listen(server, 'http')
  opened.push(served)
  return served
}

/** All that comes back until the server closes the connection. */
function exchange({ port }: LoopbackServer, ...pieces: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.on('error', reject)
    socket.on('close', () => {
      resolve(text)
    })
    for (const piece of pieces) socket.write(piece)
  })
}

function read(text: string): Parameters<typeof expectSendable>[0] {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => field.split(/: (.*)/).slice(0, 2) as [string, string]),
  )
  return { status: Number(line.split(' ')[1]), headers, text: body, json: JSON.parse(body) as unknown }
}

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
const POST = 'POST /agent/converse HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'

describe('R083, R095: what is refused before it is a request', () => {
  it.each([
    ['no HTTP', 400, 'hello\r\n\r\n'],
    ['fields that are too long', 431, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['two lengths', 400, `${POST}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`],
    [
      'a length beside chunks',
      400,
      `${POST}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a chunk without a length', 400, `${POST}transfer-encoding: chunked\r\n\r\nz\r\n`],
    ['extensions of a chunk', 413, `${POST}transfer-encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`],
    ['fields that do not come', 408, 'GET / HTTP/1.1\r\nhost: a\r\n'],
    ['a body that does not come', 408, `${POST}content-length: 100\r\n\r\n{`],
    ['an expectation', 417, `GET / HTTP/1.1\r\nhost: a\r\nexpect: a-miracle\r\nconnection: close\r\n\r\n`],
    ['a request for no host', 400, 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['a request for two', 400, 'GET / HTTP/1.1\r\nhost: a\r\nHOST: b\r\nconnection: close\r\n\r\n'],
  ])('is answered in the JSON form of the draft, with the limits: %s', async (_, status, request) => {
    const seen = read(await exchange(await open('10/minute'), request))
    const code = status === 413 ? 'request_too_large' : 'invalid_request'
    expect(seen).toMatchObject({ status, json: { status: 'error', code } })
    expect(seen.headers['x-ratelimit-remaining']).toBe('9')
    expect(Number(seen.headers['content-length'])).toBe(seen.text.length)
    expectSendable(seen)
  })

  it('is counted, and then refused for its number', async () => {
    const server = await open('2/minute')
    const seen = []
    for (let index = 0; index < 3; index++) seen.push(read(await exchange(server, 'hello\r\n\r\n')))
    expect(seen.map(({ status }) => status)).toEqual([400, 400, 429])
    expect(seen[2]).toMatchObject({ json: { code: 'rate_limited', scope: 'ip' } })
  })

  it('does not get into an answer that is under way', async () => {
    let answering: ServerResponse | undefined
    const server = await open(
      '10/minute',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '10' })
        response.write('half ')
        answering = response
      },
      () => answering?.end('whole'),
    )
    const text = await exchange(server, GET, 'hello\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nhalf wholeHTTP\/1\.1 400 /)
  })

  it('does not get into it either where it is that of what breaks off', async () => {
    const server = await open('10/minute', (_request, response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('half ')
    })
    const text = await exchange(server, `${POST}content-length: 100\r\n\r\n{`)
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nhalf $/)
  })
})

it('is not added to an answer that began while the refusal was made', async () => {
  let makeRefusal: () => void = () => undefined
  const made = new Promise<void>((resolve) => (makeRefusal = resolve))
  const server = createServer((_request, response) => {
    response.end('early', () => {
      makeRefusal()
    })
  })
  answerClientErrors(server, {
    refuse: () => made.then(() => ({ status: 400, headers: {}, body: 'late' })),
  })
  const served = await listen(server, 'http')
  opened.push(served)
  const text = await exchange(served, `${POST}transfer-encoding: chunked\r\n\r\nz\r\n`)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
})

describe('requests that came whole before it on the same connection', () => {
  const ASK = `${POST}content-length: 33\r\n\r\n{"capability":"help","query":"q"}`

  /** A site that answers only after something was refused. */
  async function openSlow(): Promise<LoopbackServer> {
    let refuse: () => void = () => undefined
    const refused = new Promise<void>((resolve) => (refuse = resolve))
    const concierge = defineConcierge({
      ...BOOKS,
      capabilities: {
        help: {
          description: 'Helps.',
          mode: 'MODE2',
          answer: () => refused.then(() => ({ answer: 'Yes.' })),
        },
      },
    })
    return open('10/minute', toNodeListener(concierge), refuse)
  }

  it.each<[string, readonly string[], ...string[]]>([
    ['no HTTP', ['200', '400'], ASK + 'hello\r\n\r\n'],
    ['no HTTP, again and again', ['200', '400'], ASK, 'hello\r\n\r\n', 'hello\r\n\r\n'],
    ['no HTTP after several', ['200', '200', '200', '400'], ASK + ASK + ASK + 'hello\r\n\r\n'],
    ['fields that are too long', ['200', '431'], `${ASK}GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['fields that do not come', ['200', '408'], `${ASK}GET / HTTP/1.1\r\nhost: a\r\n`],
    ['a body that breaks off', ['200', '400'], `${ASK}${POST}transfer-encoding: chunked\r\n\r\nz\r\n`],
    [
      'more than the visitor announced',
      ['200'],
      `${ASK.replace('host', 'connection: close\r\nhost')}hello\r\n\r\n`,
    ],
  ])('are answered: %s', async (_, expected, ...pieces) => {
    const text = await exchange(await openSlow(), ...pieces)
    expect(Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)).toEqual(expected)
    expect(text.split('"success"')).toHaveLength(expected.filter((status) => status === '200').length + 1)
  })

  it('are forgotten when the visitor leaves', async () => {
    const left = new Promise<boolean>((resolve) => {
      const opening = open('10/minute', (_request, response) => {
        response.on('close', () => {
          resolve(response.writableFinished)
        })
      })
      void opening.then(({ port }) => connect(port, '127.0.0.1').end(`${GET}hello\r\n\r\n`))
    })
    expect(await left).toBe(false)
  })
})

it('a visitor that had left before its request came to the concierge keeps nothing waiting', async () => {
  let tell: (event: SiteEvent) => void = () => undefined
  const told = new Promise<SiteEvent>((resolve) => (tell = resolve))
  const concierge = defineConcierge({
    ...BOOKS,
    observe: (event) => {
      tell(event)
    },
  })
  const listener = toNodeListener(concierge)
  const server = await listen(
    createServer((request, response) => {
      request.on('close', () => {
        setImmediate(() => {
          listener(request, response)
        })
      })
      socket.destroy()
    }),
    'http',
  )
  opened.push(server)
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${POST}content-length: 100\r\n\r\n{`)
  expect(await told).toMatchObject({ type: 'request', route: 'converse' })
})
