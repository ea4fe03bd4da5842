import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AadpServer } from '@doorplate/aadp-server'
import { toNodeListener } from '@doorplate/aadp-server/node'
import { createRequestListener } from './fetch-adapter.js'
import { declareShop, PATHS } from './declaration.js'

/** Forked as `server.ts <contender> <products>`; sends its port, then answers questions about itself. */
const [, , contender = '', products = '1000'] = process.argv
const server = createServer(await listenerOf(contender, declareShop(Number(products))))
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.on('disconnect', () => process.exit())
process.on('message', (question) => {
  process.send?.(question === 'heapUsed' ? heapUsed() : cpuMs())
})

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function listenerOf(name: string, shop: AadpServer): Promise<RequestListener> {
  switch (name) {
    case 'toNodeListener':
      return toNodeListener(shop)
    case 'handleRequest':
      return createRequestListener((request) => shop.handleRequest(request))
    case 'ready buffer':
      return readyBuffer(await readyBodies(shop))
    case 'ready Response':
      return readyResponse(await readyBodies(shop))
    default:
      throw new Error(`No contender is named "${name}".`)
  }
}

async function readyBodies(shop: AadpServer): Promise<ReadonlyMap<string, Buffer>> {
  const bodies = new Map<string, Buffer>()
  for (const path of Object.values(PATHS)) {
    const response = await shop.handleRequest(new Request(`https://shop.example${path}`))
    bodies.set(path, Buffer.from(await response.arrayBuffer()))
  }
  return bodies
}

/** The least that node:http can do: a finished body, two fields. */
function readyBuffer(bodies: ReadonlyMap<string, Buffer>): RequestListener {
  return (request, response) => {
    if (request.headers['if-none-match'] !== undefined) {
      response.writeHead(304)
      response.end()
      return
    }
    const body = bodies.get(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body?.length ?? 0 })
    response.end(body)
  }
}

/** The least that a Fetch handler can do. */
function readyResponse(bodies: ReadonlyMap<string, Buffer>): RequestListener {
  return createRequestListener((request) => {
    if (request.headers.has('if-none-match')) return new Response(null, { status: 304 })
    return new Response(bodies.get(new URL(request.url).pathname) as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': 'application/json' },
    })
  })
}
