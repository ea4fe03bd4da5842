import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { CoreResponse } from './core-message.js'
import type { Concierge } from './define-concierge.js'
import { sendResponse } from './node-listener.js'
import type { Refused } from './respond.js'

/** Why `node:http` gives up on a request; anything else is no HTTP. */
const REFUSED: Readonly<Record<string, Omit<Refused, 'remoteAddress'>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not come in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The fields of the request are too long.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The extensions of a chunk are too long.' },
}
const NO_HTTP = { status: 400, message: 'This is no HTTP request.' }
const NO_EXPECTATION = { status: 417, message: 'Expect: only 100-continue can be met.' }

/**
 * Answers what `node:http` refuses before a listener sees it (no HTTP, fields too long, too slow, an unknown expectation) as
 * the concierge refuses: as JSON, counted, with the limits and the way to the manifest. Requests that came whole before it on the
 * same connection are answered first. For servers of which all or most paths are the concierge's; nobody knows which path was
 * meant.
 */
export function answerClientErrors(server: Server | TlsServer, concierge: Pick<Concierge, 'refuse'>): void {
  const latest = new WeakMap<Duplex, Exchange>()
  const refused = new WeakSet<Duplex>()
  function note(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    latest.set(socket, { request, response, before: latest.get(socket)?.response })
  }
  server.on('request', note)
  server.on('checkExpectation', note)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // What comes after it is no request either, and whoever has gone is told nothing.
    if (refused.has(socket) || !socket.writable) return
    refused.add(socket)
    const { remoteAddress } = socket as Duplex & { readonly remoteAddress?: string }
    const { code = '' } = error
    const why = Object.hasOwn(REFUSED, code) ? (REFUSED[code] ?? NO_HTTP) : NO_HTTP
    const answer = concierge.refuse({ ...why, remoteAddress })
    refuse(socket, answer).catch(() => socket.destroy())
  })
  async function refuse(socket: Duplex, answer: Promise<CoreResponse>): Promise<void> {
    const [given] = await Promise.all([answer, untilFree(socket, latest.get(socket))])
    // An answer to what broke off may have begun while this one was made.
    const isFree = await untilFree(socket, latest.get(socket))
    if (isFree && socket.writable) socket.end(textOf(given), () => socket.destroy())
    else socket.destroy()
  }
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { remoteAddress } = request.socket
    concierge.refuse({ ...NO_EXPECTATION, remoteAddress }).then(
      (answer) => {
        sendResponse(request, response, answer)
      },
      () => response.destroy(),
    )
  })
}

/** A request and its answer, and the answer that is written before it: those of pipelined requests come one after the other. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly before: ServerResponse | undefined
}

/** Waits for the answers to requests that came whole; false where what broke off is being answered, or was, already. */
async function untilFree(socket: Duplex, latest: Exchange | undefined): Promise<boolean> {
  if (latest === undefined) return true
  const { request, response, before } = latest
  if (request.complete) {
    await untilSent(socket, response)
    return true
  }
  if (before !== undefined) await untilSent(socket, before)
  if (response.writableEnded) await untilSent(socket, response)
  // In the middle of another answer it would be read as a part of that.
  return !response.headersSent
}

function untilSent(socket: Duplex, response: ServerResponse): Promise<void> {
  if (response.writableFinished || socket.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    // As `node:http` does with whoever ends its side before it has its answer.
    function leave(): void {
      socket.destroy()
    }
    function end(): void {
      socket.off('end', leave)
      resolve()
    }
    socket.once('end', leave)
    socket.once('close', end)
    response.once('finish', end)
  })
}

function textOf({ status, headers, body }: CoreResponse): string {
  const text = body ?? ''
  const fields = {
    date: new Date().toUTCString(),
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`
}
