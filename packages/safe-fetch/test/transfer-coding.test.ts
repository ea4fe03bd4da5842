import { gzipSync } from 'node:zlib'

import { startScriptedServer } from '@internal/loopback'
import { expect, it, onTestFinished } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import type { SafeFetch } from '../src/index.js'
import { rejection } from './world.js'

/** A fetch, and the address of a server that answers with one raw response and closes. */
async function raw(head: string, body: string | Uint8Array = ''): Promise<[SafeFetch, string]> {
  const server = await startScriptedServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}connection: close\r\n\r\n`)
    socket.end(body)
  })
  const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host] })
  onTestFinished(async () => {
    await server.close()
    await safeFetch.close()
  })
  return [safeFetch, server.origin]
}

const CHUNKED = '1\r\nx\r\n0\r\n\r\n'

it.each([
  ['transfer-encoding: gzip\r\n', gzipSync('x')],
  ['transfer-encoding: gzip, chunked\r\n', CHUNKED],
  ['transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n', CHUNKED],
  ['transfer-encoding: chunked, chunked\r\n', CHUNKED],
  ['Transfer-Encoding: DEFLATE, Chunked\r\n', CHUNKED],
  ['transfer-encoding: xchunked\r\n', 'x'],
])('a body with %j is refused, not handed over as it is', async (head, body) => {
  const [safeFetch, url] = await raw(head, body)
  for (const call of [() => safeFetch(url), () => safeFetch.request(url)]) {
    expect(await rejection(call())).toMatchObject({
      name: 'SafeFetchError',
      code: expect.stringMatching(/^(?:unsupported_transfer_encoding|malformed_response)$/) as string,
    })
  }
})

it('the refusal has a code of its own', async () => {
  const [safeFetch, url] = await raw('transfer-encoding: gzip, chunked\r\n', CHUNKED)
  expect(await rejection(safeFetch.request(url))).toMatchObject({ code: 'unsupported_transfer_encoding' })
})

it.each([
  ['', 'x'],
  ['transfer-encoding: chunked\r\n', CHUNKED],
  ['Transfer-Encoding: CHUNKED\r\n', CHUNKED],
  ['transfer-encoding: identity\r\n', 'x'],
])('a body with %j is read', async (head, body) => {
  const [safeFetch, url] = await raw(head, body)
  expect(Buffer.from((await safeFetch.request(url)).body).toString()).toBe('x')
  expect(await (await safeFetch(url)).text()).toBe('x')
})

it('a response without body may say what it likes of it', async () => {
  const [safeFetch, url] = await raw('transfer-encoding: gzip, chunked\r\n')
  expect((await safeFetch.request(url, { method: 'HEAD' })).status).toBe(200)
})
