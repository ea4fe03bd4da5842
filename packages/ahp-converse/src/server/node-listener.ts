import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalidOption } from '../converse-error.js'
import type { CoreRequest, CoreResponse } from './core-message.js'
import type { Concierge } from './define-concierge.js'

/** A listener for `node:http`, and a middleware for servers that hand on a `next`. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** A concierge, or what answers in the same way. */
export type NodeSite = Pick<Concierge, 'matches' | 'respond'> & Partial<Pick<Concierge, 'refuse'>>

/**
 * Answers `node:http` requests without building Fetch objects. With a `next`, as under Express, paths that are not the
 * concierge's are handed on; without, they are answered 404. Throws `invalid_option`.
 */
export function toNodeListener(concierge: NodeSite): NodeListener {
  if (typeof (concierge as Partial<Concierge> | undefined)?.respond !== 'function')
    throw invalidOption('concierge', 'must be what defineConcierge() gives')
  return function listener(request, response, next) {
    if (next !== undefined && !concierge.matches(request.url ?? '/')) {
      next()
      return
    }
    const wrong = wrongHost(request)
    const refused =
      wrong === undefined
        ? undefined
        : concierge.refuse?.({ ...wrong, remoteAddress: request.socket.remoteAddress })
    const given = refused ?? concierge.respond(new NodeRequest(request, response))
    given.then(
      (answer) => {
        setImmediate(sendResponse, request, response, answer)
      },
      () => response.destroy(),
    )
  }
}

const NO_HOST = { status: 400, message: 'Host: is missing.' }
const HOSTS = { status: 400, message: 'Host: is there more than once.' }

/** RFC 9112 section 3.2; for servers with `requireHostHeader` off, so that the refusal is the concierge's. */
function wrongHost({ headers, rawHeaders, httpVersion }: IncomingMessage): typeof NO_HOST | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? NO_HOST : undefined
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 ? HOSTS : undefined
}

/**
 * Called when the event loop has read the requests that are there: a peer with several of them is then woken once for all
 * answers, which is worth a third of the throughput. Somebody else, such as a time limit around the listener, may have
 * answered meanwhile.
 */
export function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: CoreResponse,
): void {
  if (response.headersSent || response.destroyed) return
  if (!request.complete) discard(request)
  const fields: string[] = []
  for (const name in headers) fields.push(name, headers[name] ?? '')
  if (body === null) {
    response.writeHead(status, fields).end()
    return
  }
  const length = Buffer.byteLength(body)
  if (headers['content-length'] === undefined) fields.push('content-length', String(length))
  // A body of ASCII is sent faster as what it is, and in one piece with the fields.
  response.writeHead(status, fields).end(body, length === body.length ? 'latin1' : 'utf8')
}

/** More of a body that nobody reads is not waited for: the connection ends. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024

function discard(request: IncomingMessage): void {
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.byteLength
    if (length > MAX_DISCARDED_BYTES) request.destroy()
  })
}

class NodeRequest implements CoreRequest {
  readonly method: string
  readonly target: string
  readonly #message: IncomingMessage
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.method = message.method ?? 'GET'
    this.target = message.url ?? '/'
    this.#message = message
    this.#response = response
  }

  get remoteAddress(): string | undefined {
    return this.#message.socket.remoteAddress
  }

  header(name: string): string | null {
    const value = this.#message.headers[name]
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }

  get signal(): AbortSignal {
    return (this.#signal ??= leavingOf(this.#response))
  }

  readBody(maxBytes: number): Promise<Uint8Array | undefined> {
    const message = this.#message
    if (message.readableEnded) return Promise.resolve(alreadyParsed(message, maxBytes))
    return new Promise((resolve, reject) => {
      function onClose(): void {
        if (!message.readableEnded) reject(new DOMException('The visitor is gone.', 'AbortError'))
      }
      const chunks: Buffer[] = []
      let length = 0
      message.on('data', (chunk: Buffer) => {
        length += chunk.byteLength
        if (length <= maxBytes) chunks.push(chunk)
        else resolve(undefined)
      })
      message.on('end', () => {
        const [first = Buffer.alloc(0)] = chunks
        resolve(chunks.length > 1 ? Buffer.concat(chunks) : first)
      })
      // Whatever came before the concierge may have taken longer than the visitor stayed.
      if (message.closed) onClose()
      else message.on('close', onClose)
    })
  }
}

/** Aborts when the visitor goes before it has its answer. */
function leavingOf(response: ServerResponse): AbortSignal {
  if (response.destroyed) return AbortSignal.abort()
  const leaving = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  return leaving.signal
}

/** What a body parser in front of the concierge, such as `express.json()` or `express.raw()`, has left of a body. */
function alreadyParsed(
  { body = '' }: IncomingMessage & { body?: unknown },
  maxBytes: number,
): Uint8Array | undefined {
  const isText = typeof body === 'string'
  const bytes = body instanceof Uint8Array ? body : Buffer.from(isText ? body : JSON.stringify(body))
  return bytes.byteLength > maxBytes ? undefined : bytes
}
