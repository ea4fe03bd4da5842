import { createServer } from 'node:net'
import type { Socket } from 'node:net'

import { listen } from './start-server.js'
import type { LoopbackServer } from './start-server.js'

/** What a scripted server does for one request: it writes raw bytes to the socket. */
export type Script = (socket: Socket, request: RawRequest) => unknown

export interface RawRequest {
  /** Counted from 0 over all connections. */
  readonly index: number
  readonly method: string
  readonly path: string
  /** The head as it came, without the blank line. */
  readonly head: string
  /** Lower-case names; the last of a repeated field. */
  readonly headers: Readonly<Record<string, string>>
}

export interface ScriptedServer extends LoopbackServer {
  /** Every request head received, in order. */
  readonly requests: readonly RawRequest[]
}

/**
 * A server that speaks only what the script writes: for responses that no well-behaved server sends. The script is called
 * once for each request head; request bodies are ignored.
 */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: RawRequest[] = []
  const server = createServer((socket) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const request = parseHead(received.slice(0, end), requests.length)
        received = received.slice(end + 4)
        if (!/^[A-Z]+ \S+ HTTP\//.test(request.head)) continue
        requests.push(request)
        void script(socket, request)
      }
    })
  })
  const base = await listen(server, 'http')
  return {
    ...base,
    requests,
    get connectionCount() {
      return base.connectionCount
    },
  }
}

function parseHead(head: string, index: number): RawRequest {
  const [requestLine = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = requestLine.split(' ')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { index, method, path, head, headers }
}
