import { createServer } from 'node:http'
import { listen } from '@internal/loopback'
import { afterEach, describe, expect, it } from 'vitest'
import { toNodeListener } from '../src/node.js'
import { type Bookshop, openBookshop, send } from './bookshop.js'

let shop: Bookshop | undefined
afterEach(async () => {
  await shop?.close()
  shop = undefined
})

const URL_OF = 'https://shop.example/agent/converse'
const BODY = JSON.stringify({ ahp: '0.1', capability: 'search', query: 'x' })
const HEADERS = { 'content-type': 'application/json' }

function post(body: string | ReadableStream, signal = new AbortController().signal): Request {
  return new Request(URL_OF, { method: 'POST', headers: HEADERS, body, signal, duplex: 'half' })
}

function breaksOff(error: unknown): ReadableStream {
  return new ReadableStream({
    pull: (stream) => {
      stream.error(error)
    },
  })
}

describe('a body of the Fetch API that cannot be read', () => {
  it.each([
    [
      'was read before',
      async () => {
        const request = post(BODY)
        await request.text()
        return request
      },
    ],
    [
      'is being read by another',
      () => {
        const request = post(BODY)
        request.body?.getReader()
        return request
      },
    ],
    ['breaks off', () => post(breaksOff(new TypeError('terminated')))],
  ])('because it %s is answered 400', async (_, requestOf) => {
    shop = await openBookshop()
    const response = await shop.concierge.handleRequest(await requestOf())
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_request' })
    expect(shop.faults).toEqual([])
  })

  it('because the visitor is gone rejects with the reason of its signal', async () => {
    shop = await openBookshop()
    const leaving = new AbortController()
    const reason = new Error('gone')
    leaving.abort(reason)
    const request = post(breaksOff(new TypeError('terminated')), leaving.signal)
    await expect(shop.concierge.handleRequest(request)).rejects.toBe(reason)
  })
})

describe('a body that was read in front of the Node listener', () => {
  it.each([
    ['parsed', 200, (bytes: Buffer): unknown => JSON.parse(bytes.toString())],
    ['as text', 200, (bytes: Buffer): unknown => bytes.toString()],
    ['as bytes', 200, (bytes: Buffer): unknown => bytes],
    ['and kept by nobody', 400, (): unknown => undefined],
    ['that is too long', 413, (): unknown => ({ query: 'x'.repeat(10_000) })],
  ])('%s is answered %i', async (_what, status, parse) => {
    shop = await openBookshop()
    const listener = toNodeListener(shop.concierge)
    const server = await listen(
      createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          setImmediate(() => {
            listener(Object.assign(request, { body: parse(Buffer.concat(chunks)) }), response)
          })
        })
      }),
      'http',
    )
    const visit = { method: 'POST', path: '/agent/converse', headers: HEADERS, body: BODY }
    expect((await send(server.port, visit)).status).toBe(status)
    await server.close()
  })
})
