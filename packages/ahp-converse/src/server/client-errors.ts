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
 * the concierge refuses: as JSON, counted, with the limits and the way to the manifest. For servers of which all or most paths
 * are the concierge's; nobody knows which path was meant.
 */
export function answerClientErrors(server: Server | TlsServer, concierge: Pick<Concierge, 'refuse'>): void {
  /** Of pipelined requests there are several; they are written one after the other. */
  const unfinished = new WeakMap<Duplex, readonly ServerResponse[]>()
  const unfinishedOn = (socket: Duplex): readonly ServerResponse[] =>
    (unfinished.get(socket) ?? []).filter(({ writableFinished }) => !writableFinished)
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unfinished.set(socket, [...unfinishedOn(socket), response])
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { remoteAddress } = socket as Duplex & { readonly remoteAddress?: string }
    const { code = '' } = error
    const why = Object.hasOwn(REFUSED, code) ? (REFUSED[code] ?? NO_HTTP) : NO_HTTP
    concierge.refuse({ ...why, remoteAddress }).then(
      (answer) => {
        // In the middle of another answer it would be read as a part of that.
        const isBusy = unfinishedOn(socket)[0]?.headersSent === true
        if (!socket.writable || isBusy) socket.destroy()
        else socket.end(textOf(answer), () => socket.destroy())
      },
      () => socket.destroy(),
    )
  })
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
