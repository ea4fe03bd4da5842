import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import { recordDials, scriptedLookup, startServer, startTlsServer } from '@internal/loopback'
import type { DialRecorder, LoopbackServer, ScriptedLookup } from '@internal/loopback'
import { onTestFinished } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import type { SafeFetch, SafeFetchOptions } from '../src/index.js'

/** A public address for each name of the tests; nothing is ever sent there. */
const PUBLIC_NAMES = {
  'a.example': ['93.184.216.34'],
  'b.example': ['93.184.216.35'],
  'allowed.example': ['93.184.216.36'],
} as const

/** One request as a server of the world saw it. */
export interface SeenRequest {
  /** `http://a.example/path` */
  readonly url: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface World {
  readonly safeFetch: SafeFetch
  readonly seen: readonly SeenRequest[]
  readonly dials: DialRecorder['dials']
  readonly lookup: ScriptedLookup
  readonly server: LoopbackServer
}

export type Reply = (request: SeenRequest, response: ServerResponse) => void

/**
 * An internet of scripted names: every connection of the process, whatever its address, ends at one local server (at
 * a TLS server for port 443), and the addresses that would have been dialled are recorded.
 */
export async function openWorld(
  reply: Reply,
  options: SafeFetchOptions = {},
  names: Parameters<typeof scriptedLookup>[0] = PUBLIC_NAMES,
): Promise<World> {
  const seen: SeenRequest[] = []
  const server = await startServer(listen('http', seen, reply))
  const tlsServer = await startTlsServer(Object.keys(names), listen('https', seen, reply))
  const recorder = recordDials(({ port }) => (port === 443 ? tlsServer.port : server.port))
  const lookup = scriptedLookup(names)
  const safeFetch = createSafeFetch({ lookup, ca: tlsServer.ca, timeoutMs: 5_000, ...options })
  onTestFinished(async () => {
    recorder.restore()
    await Promise.all([server.close(), tlsServer.close()])
    await safeFetch.close()
  })
  return { safeFetch, seen, dials: recorder.dials, lookup, server }
}

/** Replies by `url`; anything else is 404. */
export function routes(table: Readonly<Record<string, Reply>>): Reply {
  return (request, response) => {
    const reply = Object.hasOwn(table, request.url) ? table[request.url] : undefined
    if (reply) reply(request, response)
    else response.writeHead(404).end('not found')
  }
}

export function redirectTo(location: string, status = 302): Reply {
  return (_request, response) => response.writeHead(status, { location }).end()
}

export function text(body: string): Reply {
  return (_request, response) => response.end(body)
}

/** What a promise rejects with; fails if it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome) return outcome.error
  throw new Error(`Expected a rejection, got ${JSON.stringify(outcome.value)}`)
}

function listen(scheme: string, seen: SeenRequest[], reply: Reply): RequestListener {
  return (incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      const url = `${scheme}://${incoming.headers.host ?? ''}${incoming.url ?? ''}`
      const request = { url, method: incoming.method ?? '', headers: incoming.headers, body }
      seen.push(request)
      reply(request, response)
    })
  }
}
