import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { isIPv6, type AddressInfo, type Socket } from 'node:net'
import type { Logger } from './operate/logger.js'
import type { Settings } from './settings/settings.js'
import { StartError } from './start-error.js'
import { readTlsFiles, type TlsFiles } from './tls-files.js'
import { followTlsFiles } from './tls-renewal.js'

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface HttpServer {
  /** The address it listens on, as an origin; an unspecified address (0.0.0.0, ::) shows as the loopback one. */
  readonly origin: string
  /** Answers every request, those that came in before the call too. */
  serve(handler: RequestHandler): void
  /** The certificate in use, in PEM; undefined where plain http is spoken. */
  certificate(): string | undefined
  /** Reads certificate and key anew, as is done whenever their files change. Absent where plain http is spoken. */
  readonly renewCertificate?: () => Promise<void>
  /** Takes no new connection, lets the requests under way finish, and cuts them off after `graceMs`. */
  stop(options: { readonly graceMs: number }): Promise<void>
}

export type ListenSettings = Pick<
  Settings,
  'host' | 'port' | 'tlsCert' | 'tlsKey' | 'headersTimeoutMs' | 'requestTimeoutMs' | 'maxConnections'
>

export interface ListenOptions {
  readonly logger: Logger
  /** How often the files of https are looked at, milliseconds. Default: 10,000. */
  readonly tlsCheckMs?: number
}

/** Listens on an address, by https where there is a certificate; throws `StartError` when that is not possible. */
export async function listen(
  settings: ListenSettings,
  { logger, tlsCheckMs: checkMs = 10_000 }: ListenOptions,
): Promise<HttpServer> {
  const { host, port, headersTimeoutMs: headersTimeout, requestTimeoutMs: requestTimeout } = settings
  const address = { host, port }
  const tls = await readTlsFiles(settings)
  const limits = { headersTimeout: Math.min(headersTimeout, requestTimeout), requestTimeout }
  const tlsServer = tls && createTlsServer({ ...limits, cert: tls.cert, key: tls.key })
  const server = tlsServer ?? createServer(limits)
  server.maxConnections = settings.maxConnections
  const answers = new Map<Socket, ServerResponse>()
  const early: Parameters<RequestHandler>[] = []
  let answer: RequestHandler = (...exchange) => void early.push(exchange)
  server.on('request', (request, response) => {
    const { socket } = request
    // One entry for each connection, whose value changes: what comes and goes with every request would outlive it by far.
    if (!answers.has(socket)) socket.once('close', () => answers.delete(socket))
    answers.set(socket, response)
    if (!server.listening) makeLast(response, server)
    answer(request, response)
  })
  server.listen(address)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(reasonNotToListen(error as NodeJS.ErrnoException, address))
  }

  const renewal = tlsServer && followTlsFiles(tlsServer, { settings, inUse: tls, logger, checkMs })
  return {
    certificate: () => renewal?.certificate(),
    ...(renewal && { renewCertificate: renewal.renew }),
    origin: originOf(server.address() as AddressInfo, tls),
    serve(handler) {
      answer = handler
      for (const exchange of early.splice(0)) handler(...exchange)
    },
    stop({ graceMs }) {
      renewal?.stop()
      return stop(server, answers, graceMs)
    },
  }
}

async function stop(
  server: Server,
  answers: ReadonlyMap<Socket, ServerResponse>,
  graceMs: number,
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const response of answers.values()) makeLast(response, server)
  const deadline = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  await closed
  clearTimeout(deadline)
}

/** Nothing comes after it on its connection. */
function makeLast(response: ServerResponse, server: Server): void {
  if (response.closed) return
  if (!response.headersSent) response.setHeader('connection', 'close')
  response.once('close', () => {
    server.closeIdleConnections()
  })
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
