import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CarrierService extends AsyncDisposable {
  /** For the setting `carrierUrl`. */
  readonly url: string
}

/** Plays the carrier of the shop, as such services are: it knows of one parcel, has lost its mind over another, and forgets the third. */
export async function startCarrierService(): Promise<CarrierService> {
  const server = createServer((request, response) => {
    if (request.url === '/DP-7001')
      response.setHeader('content-type', 'application/json').end('{"status":"delivered to a neighbour"}')
    else if (request.url === '/DP-7003') response.end('<h1>Scheduled maintenance</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/{number}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
