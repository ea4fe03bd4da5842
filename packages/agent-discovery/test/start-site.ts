import type { IncomingMessage, ServerResponse } from 'node:http'
import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'
import { startServer } from '@internal/loopback'
import { onTestFinished } from 'vitest'

export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array
}

/** An answer, a JSON document to send, or a handler for anything else. */
export type Route =
  | Answer
  | { readonly json: unknown; readonly type?: string }
  | ((request: IncomingMessage, response: ServerResponse) => void)

export interface Site {
  readonly origin: string
  readonly fetch: SafeFetch
  /** `method path` of every request so far. */
  readonly requests: readonly string[]
  readonly headersOf: (path: string) => IncomingMessage['headers'] | undefined
}

/** A site on a loopback server, closed after the test. `*` answers every path without a route of its own. */
export async function startSite(routes: Readonly<Record<string, Route>>): Promise<Site> {
  const requests: string[] = []
  const headers = new Map<string, IncomingMessage['headers']>()
  const server = await startServer((request, response) => {
    const path = request.url ?? '/'
    requests.push(`${request.method ?? ''} ${path}`)
    headers.set(path, request.headers)
    const route = (Object.hasOwn(routes, path) ? routes[path] : routes['*']) ?? {
      status: 404,
      type: 'text/plain',
      body: 'no',
    }
    if (typeof route === 'function') route(request, response)
    else
      send(
        response,
        'json' in route
          ? { type: route.type ?? 'application/json', body: JSON.stringify(route.json) }
          : route,
      )
  })
  const fetch = createSafeFetch({ dangerouslyAllow: [server.host] })
  onTestFinished(async () => {
    await fetch.close()
    await server.close()
  })
  return { origin: server.origin, fetch, requests, headersOf: (path) => headers.get(path) }
}

function send(response: ServerResponse, { status = 200, type, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, { ...(type !== undefined && { 'content-type': type }), ...headers })
  response.end(body)
}
