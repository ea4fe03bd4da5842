import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { isIPv6, type AddressInfo } from 'node:net'
import type { Settings } from './settings/settings.js'
import { StartError } from './start-error.js'
import { readTlsFiles, type TlsFiles } from './tls-files.js'

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface HttpServer {
  /** The address it listens on, as an origin; an unspecified address (0.0.0.0, ::) shows as the loopback one. */
  readonly origin: string
  /** Answers every request, those that came in before the call too. */
  serve(handler: RequestHandler): void
  /** Takes no new connection, lets the requests under way finish, and cuts them off after `graceMs`. */
  stop(options: { readonly graceMs: number }): Promise<void>
}

export type ListenSettings = Pick<
  Settings,
  'host' | 'port' | 'tlsCert' | 'tlsKey' | 'headersTimeoutMs' | 'requestTimeoutMs' | 'maxConnections'
>

/** Listens on an address, by https where there is a certificate; throws `StartError` when that is not possible. */
export async function listen(settings: ListenSettings): Promise<HttpServer> {
  const { host, port, headersTimeoutMs: headersTimeout, requestTimeoutMs: requestTimeout } = settings
  const address = { host, port }
  const tls = await readTlsFiles(settings)
  const limits = { headersTimeout: Math.min(headersTimeout, requestTimeout), requestTimeout }
  const server = tls === undefined ? createServer(limits) : createTlsServer({ ...limits, ...tls })
  server.maxConnections = settings.maxConnections
  const underWay = new Set<ServerResponse>()
  let serve: (handler: RequestHandler) => void = () => undefined
  const handler = new Promise<RequestHandler>((resolve) => {
    serve = resolve
  })
  server.on('request', (request, response: ServerResponse) => {
    underWay.add(response)
    void handler.then((answer) => {
      answer(request, response)
    })
    response.on('close', () => {
      underWay.delete(response)
      if (!server.listening) server.closeIdleConnections()
    })
  })
  server.listen(address)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(reasonNotToListen(error as NodeJS.ErrnoException, address))
  }

  return {
    origin: originOf(server.address() as AddressInfo, tls),
    serve,
    stop: ({ graceMs }) => stop(server, underWay, graceMs),
  }
}

async function stop(server: Server, underWay: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close')
  const deadline = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  await closed
  clearTimeout(deadline)
}

function originOf({ address, port }: AddressInfo, tls: TlsFiles | undefined): string {
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  const host = isIPv6(reachable) ? `[${reachable}]` : reachable
  return new URL(`${tls === undefined ? 'http' : 'https'}://${host}:${port}`).origin
}

function reasonNotToListen(
  { code }: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop its program, or set PORT to a free port.`
  if (code === 'EACCES') return `Port ${port} on ${host} needs more rights. Set PORT to a port above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine.`
  return `Listening on port ${port} of ${host} failed: ${code ?? 'unknown reason'}.`
}
