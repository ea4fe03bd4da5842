import { inspect } from 'node:util'

import { scriptedLookup, startScriptedServer } from '@internal/loopback'
import type { Script } from '@internal/loopback'
import { expect, it, onTestFinished } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import { openWorld, redirectTo, rejection } from './world.js'

/** What a call to a name that leads to this machine rejects with. */
async function failureOf(script: Script | null, addresses = ['127.0.0.1']): Promise<unknown> {
  const server = await startScriptedServer(script ?? (() => undefined))
  if (script === null) await server.close()
  const safeFetch = createSafeFetch({
    lookup: scriptedLookup({ 'a.example': addresses }),
    dangerouslyAllow: ['a.example'],
    connectTimeoutMs: 100,
  })
  onTestFinished(async () => {
    await safeFetch.close()
    await server.close()
  })
  return rejection(safeFetch.request(`http://a.example:${server.port}/`))
}

const ADDRESS = /127\.0\.0\.1|::1\b|192\.0\.2\.1/

it.each<[string, string, Script | null, string[], object]>([
  ['one dead address', 'network_error', null, ['127.0.0.1'], { code: 'ECONNREFUSED', syscall: 'connect' }],
  [
    'two dead addresses',
    'network_error',
    null,
    ['127.0.0.1', '::1'],
    { errors: [{ syscall: 'connect' }, {}] },
  ],
  [
    'a cut before the headers',
    'network_error',
    (socket) => socket.end(),
    ['127.0.0.1'],
    { code: 'UND_ERR_SOCKET' },
  ],
  [
    'a cut in the body',
    'truncated_response',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'),
    ['127.0.0.1'],
    { name: 'SocketError', message: 'other side closed' },
  ],
])('%s: neither the error nor its cause shows an address', async (_name, code, script, addresses, cause) => {
  const error = await failureOf(script, addresses)
  expect(error).toMatchObject({ code, cause })
  expect(inspect(error, { depth: 10, showHidden: false })).not.toMatch(ADDRESS)
})

it('nor does a connection that is never made', async () => {
  const safeFetch = createSafeFetch({ lookup: () => undefined, connectTimeoutMs: 20 })
  const error = await rejection(safeFetch('http://a.example/'))
  expect(error).toMatchObject({
    cause: { code: 'UND_ERR_CONNECT_TIMEOUT', message: 'Connect Timeout Error' },
  })
})

it('an unparsable URL is not repeated: it may hold a password', async () => {
  const safeFetch = createSafeFetch()
  const error = await rejection(safeFetch.request('http://user:hunter2@:80/'))
  expect(error).toMatchObject({ code: 'invalid_url' })
  expect(inspect(error)).not.toContain('hunter2')
  const world = await openWorld(redirectTo('http://user:hunter2@:80/'))
  const redirected = await rejection(world.safeFetch('http://a.example/'))
  expect(redirected).toMatchObject({ code: 'invalid_redirect', url: 'http://a.example/' })
  expect(inspect(redirected)).not.toContain('hunter2')
})
