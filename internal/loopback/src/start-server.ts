import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'

import { createCertificate } from './certificate.js'

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>` or `https://127.0.0.1:<port>`, without a slash at the end. */
  readonly origin: string
  readonly port: number
  /** `127.0.0.1:<port>`, as `dangerouslyAllow` takes it. */
  readonly host: string
  /** Connections accepted so far. */
  readonly connectionCount: number
  /** Stops at once, open connections included. */
  close(): Promise<void>
}

/** An ordinary HTTP server on 127.0.0.1 and a free port. */
export function startServer(listener: RequestListener): Promise<LoopbackServer> {
  return listen(createServer(listener), 'http')
}

export interface TlsLoopbackServer extends LoopbackServer {
  /** The authority that signed the server's certificate, as PEM. */
  readonly ca: string
}

/** The same over TLS, with a certificate for `names`. */
export async function startTlsServer(
  names: readonly string[],
  listener: RequestListener,
): Promise<TlsLoopbackServer> {
  const { key, cert } = await createCertificate(names)
  const server = await listen(createTlsServer({ key, cert }, listener), 'https')
  return {
    ...server,
    ca: cert,
    get connectionCount() {
      return server.connectionCount
    },
  }
}

/** Starts any server of Node on 127.0.0.1 and a free port. */
export async function listen(server: Server, scheme: 'http' | 'https'): Promise<LoopbackServer> {
  const sockets = new Set<Socket>()
  let connectionCount = 0
  server.on('connection', (socket: Socket) => {
    connectionCount++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    get connectionCount() {
      return connectionCount
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        for (const socket of sockets) socket.destroy()
      }),
  }
}
