import { once } from 'node:events'
import { connect, createServer as createProbe, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'

export interface HttpsRelay extends AsyncDisposable {
  readonly url: string
  /** Where it leads: a port on 127.0.0.1 that somebody may listen on. */
  readonly targetPort: number
}

/** What agents put before themselves to get results by https. */
export async function startHttpsRelay(certificate: {
  readonly cert: string
  readonly key: string
}): Promise<HttpsRelay> {
  const targetPort = await freePort()
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    const target = connect(targetPort, '127.0.0.1')
    socket.on('error', () => target.destroy())
    target.on('error', () => socket.destroy())
    socket.pipe(target).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${String(port)}/results`,
    targetPort,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createProbe().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
