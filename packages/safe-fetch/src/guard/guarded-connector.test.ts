import { Socket } from 'node:net'

import { recordDials, scriptedLookup } from '@internal/loopback'
import { expect, it, onTestFinished } from 'vitest'
import * as undici from 'undici'
import type { buildConnector } from 'undici'

import { createGuardedConnector } from './guarded-connector.js'
import { parseOptions } from '../options/options.js'

/** What the gate answers when it is asked to connect, whoever asks and however. */
async function ask(origin: string, options: Partial<buildConnector.Options>): Promise<unknown> {
  const recorder = recordDials(() => null)
  onTestFinished(recorder.restore)
  const policy = parseOptions({ lookup: scriptedLookup({ 'a.example': ['93.184.216.34'] }) })
  const url = new URL(origin)
  const connect = createGuardedConnector(undici, url, policy)
  const defaults = { hostname: url.hostname.replace(/^\[|\]$/g, ''), protocol: url.protocol, port: url.port }
  const error = await new Promise((resolve) => {
    connect({ ...defaults, ...options }, (...outcome) => {
      resolve(outcome[0])
    })
  })
  return { error, dials: recorder.dials }
}

it.each([
  ['an IPv4 literal', 'http://127.0.0.1/', {}],
  ['an IPv6 literal', 'http://[::1]:8080/', {}],
  ['a literal over TLS', 'https://10.0.0.1/', {}],
  ['another host than its own', 'http://a.example/', { hostname: 'b.example' }],
  ['a literal in place of its host', 'http://a.example/', { hostname: '127.0.0.1' }],
  ['another port than its own', 'http://a.example/', { port: '22' }],
])('the gate itself refuses %s', async (_name, origin, options) => {
  expect(await ask(origin, options)).toMatchObject({
    error: { code: 'blocked', reason: 'address' },
    dials: [],
  })
})

it.each([
  ['a socket path', { socketPath: '/var/run/docker.sock' }],
  ['a ready socket', { httpSocket: new Socket() }],
])('the gate itself refuses %s', async (_name, options) => {
  expect(await ask('http://a.example/', options)).toMatchObject({
    error: { code: 'blocked', reason: 'socket_path' },
    dials: [],
  })
})

it('and lets its own host pass', async () => {
  expect(await ask('http://a.example/', {})).toMatchObject({
    error: { code: 'ECONNREFUSED' },
    dials: [{ address: '93.184.216.34', port: 80 }],
  })
})
