import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** For a program that cannot choose one itself. Another may take it meanwhile. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
