import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AadpServer } from './define-aadp.js'
import type { CoreResponse } from './documents/published-document.js'
import type { IncomingRequest } from './upstream/request-context.js'
import { splitTarget } from './routes/split-target.js'

/** A listener for `node:http`, and a middleware for servers that hand on a `next`. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/**
 * Answers `node:http` requests without building Fetch objects. With a `next`, as under Express, paths that are not
 * published are handed on; without, they are answered 404.
 */
export function toNodeListener(server: AadpServer): NodeListener {
  return function listener(request, response, next) {
    if (next !== undefined && !server.matches(request.url ?? '/')) {
      next()
      return
    }
    try {
      const result = server.respond(new NodeRequest(request, response, server.origin))
      if (result instanceof Promise)
        result
          .then((core) => {
            send(response, core)
          })
          .catch(() => response.destroy())
      else send(response, result)
    } catch {
      response.destroy()
    }
  }
}

/** `writeHead` reads a flat list of names and values faster than an object. */
const flatHeaders = new WeakMap<CoreResponse['headers'], string[]>()

/** Somebody else, such as a time limit around the listener, may have answered meanwhile. */
function send(response: ServerResponse, { status, headers, body }: CoreResponse): void {
  if (response.headersSent) return
  let flat = flatHeaders.get(headers)
  if (flat === undefined) {
    flat = Object.entries(headers).flat()
    flatHeaders.set(headers, flat)
  }
  response.writeHead(status, flat)
  response.end(body ?? undefined)
}

/** The target without the scheme and host that a client may have put in front of it. */
function originForm(target: string): string {
  const { path, query } = splitTarget(target)
  return query === '' ? path : `${path}?${query}`
}

/** The compatibility layer of `node:http2` knows no `headersDistinct`, and has pseudo-fields among its headers. */
interface MessageFields {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly headersDistinct?: Readonly<Record<string, string[] | undefined>>
}

function fieldsOf({ headers, headersDistinct = {} }: MessageFields): [string, string][] {
  return Object.entries({ ...headers, ...headersDistinct }).flatMap(([name, values = []]) =>
    name.startsWith(':') ? [] : [values].flat().map((value): [string, string] => [name, value]),
  )
}

/** What the core reads of a request; the abort signal and the Fetch request are made only if somebody asks. */
class NodeRequest implements IncomingRequest {
  readonly method: string
  readonly url: string
  readonly #message: IncomingMessage
  readonly #response: ServerResponse
  readonly #origin: string
  #abort: AbortController | undefined
  #request: Request | undefined

  constructor(message: IncomingMessage, response: ServerResponse, origin: string) {
    this.method = message.method ?? 'GET'
    this.url = message.url ?? '/'
    this.#message = message
    this.#response = response
    this.#origin = origin
  }

  get headers(): { get(name: string): string | null } {
    return this
  }

  /** A field by its lower-case name, repeated ones joined. */
  get(name: string): string | null {
    const value = this.#message.headers[name]
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }

  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal
    const abort = new AbortController()
    this.#abort = abort
    if (this.#response.destroyed) abort.abort()
    else
      this.#response.once('close', () => {
        if (!this.#response.writableFinished) abort.abort()
      })
    return abort.signal
  }

  get request(): Request {
    return (this.#request ??= new Request(this.#origin + originForm(this.url), {
      method: this.method,
      headers: fieldsOf(this.#message),
      signal: this.signal,
    }))
  }
}
