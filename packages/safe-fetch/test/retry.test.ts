import { startScriptedServer } from '@internal/loopback'
import type { Script } from '@internal/loopback'
import { expect, it, onTestFinished } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import type { AttemptEvent, SafeFetchOptions } from '../src/index.js'
import { rejection } from './world.js'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const RETRY = { maxAttempts: 3, baseDelayMs: 1 }

async function scripted(script: Script, options: SafeFetchOptions = {}) {
  const server = await startScriptedServer(script)
  const events: AttemptEvent[] = []
  const safeFetch = createSafeFetch({
    dangerouslyAllow: [server.host],
    retry: RETRY,
    onAttempt: (event) => events.push(event),
    ...options,
  })
  onTestFinished(async () => {
    await server.close()
    await safeFetch.close()
  })
  return { ...server, safeFetch, events }
}

function status(code: number, headers = ''): string {
  return `HTTP/1.1 ${code} X\r\n${headers}content-length: 0\r\n\r\n`
}

it('without the option nothing is tried twice', async () => {
  const server = await startScriptedServer((socket) => socket.write(status(503)))
  const once = createSafeFetch({ dangerouslyAllow: [server.host] })
  expect((await once(server.origin)).status).toBe(503)
  expect(server.requests).toHaveLength(1)
  await server.close()
})

it.each([429, 502, 503, 504])('a %i is tried again', async (code) => {
  const { safeFetch, origin, requests } = await scripted((socket, { index }) =>
    socket.write(index < 2 ? status(code) : OK),
  )
  expect((await safeFetch(origin)).status).toBe(200)
  expect(requests).toHaveLength(3)
})

it.each([200, 400, 404, 408, 500, 501])('a %i is not', async (code) => {
  const { safeFetch, origin, requests } = await scripted((socket) => socket.write(status(code)))
  expect((await safeFetch(origin)).status).toBe(code)
  expect(requests).toHaveLength(1)
})

it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('a %s is not: it may have been done', async (method) => {
  const { safeFetch, origin, requests } = await scripted((socket) => socket.write(status(503)))
  expect((await safeFetch(origin, { method })).status).toBe(503)
  expect(requests).toHaveLength(1)
})

it('a lost connection is tried again, and the last error stays', async () => {
  const { safeFetch, origin, requests } = await scripted((socket) => socket.destroy())
  expect(await rejection(safeFetch(origin))).toMatchObject({ code: 'network_error' })
  expect(requests).toHaveLength(3)
})

it('a body cut short is tried again by the core, which reads it', async () => {
  const { safeFetch, origin, requests } = await scripted((socket, { index }) =>
    index === 0 ? socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no') : socket.write(OK),
  )
  expect(Buffer.from((await safeFetch.request(origin)).body).toString()).toBe('ok')
  expect(requests).toHaveLength(2)
})

it('the last response is returned when the attempts are used up', async () => {
  const { safeFetch, origin, requests } = await scripted((socket) => socket.write(status(503)))
  expect((await safeFetch.request(origin)).status).toBe(503)
  expect(requests).toHaveLength(3)
})

it('a slow attempt is ended and tried again within the deadline', async () => {
  const { safeFetch, origin, events } = await scripted((socket, { index }) => index > 0 && socket.write(OK), {
    retry: { ...RETRY, attemptTimeoutMs: 50 },
  })
  expect((await safeFetch(origin)).status).toBe(200)
  expect(events).toMatchObject([
    { attempt: 1, failure: 'attempt_timeout' },
    { attempt: 2, status: 200 },
  ])
})

it('the limit of an attempt does not cut the body that follows', async () => {
  const { safeFetch, origin } = await scripted(
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no')
      setTimeout(() => socket.write('k'), 120)
    },
    { retry: { ...RETRY, attemptTimeoutMs: 60 } },
  )
  expect(await (await safeFetch(origin)).text()).toBe('ok')
})

it('the deadline ends the attempts', async () => {
  const { safeFetch, origin, requests } = await scripted(() => undefined, {
    timeoutMs: 150,
    retry: { maxAttempts: 1_000, baseDelayMs: 1, attemptTimeoutMs: 20 },
  })
  expect(await rejection(safeFetch(origin))).toMatchObject({
    code: expect.stringMatching(/timeout$/) as string,
  })
  expect(requests.length).toBeGreaterThan(1)
  expect(requests.length).toBeLessThan(20)
})

it('an abort ends the wait', async () => {
  const { safeFetch, origin, requests } = await scripted((socket) =>
    socket.write(status(503, 'retry-after: 5\r\n')),
  )
  const controller = new AbortController()
  const call = rejection(safeFetch(origin, { signal: controller.signal }))
  await expect.poll(() => requests.length).toBe(1)
  const reason = new Error('mine')
  controller.abort(reason)
  expect(await call).toBe(reason)
  expect(requests).toHaveLength(1)
})

it('a refusal, a limit and an abort are never tried again', async () => {
  const { safeFetch, origin, requests } = await scripted(
    (socket, { path }) => {
      if (path === '/redirect') socket.write(status(302, 'location: http://127.0.0.2/\r\n'))
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n')
    },
    { maxResponseBytes: 10 },
  )
  expect(await rejection(safeFetch(`${origin}/redirect`))).toMatchObject({ code: 'blocked' })
  expect(await rejection(safeFetch(`${origin}/large`))).toMatchObject({ code: 'response_too_large' })
  expect(requests).toHaveLength(2)
})

it('each attempt starts at the first URL', async () => {
  const { safeFetch, origin, requests } = await scripted((socket, { path, index }) =>
    socket.write(path === '/' ? status(302, 'location: /next\r\n') : index < 2 ? status(503) : OK),
  )
  expect((await safeFetch(origin)).url).toBe(`${origin}/next`)
  expect(requests.map(({ path }) => path)).toEqual(['/', '/next', '/', '/next'])
})
