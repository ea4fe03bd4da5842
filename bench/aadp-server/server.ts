import type { RequestListener } from 'node:http'
import type { AadpServer } from '@doorplate/aadp-server'
import { toNodeListener } from '@doorplate/aadp-server/node'
import { serveContender } from '../src/serve-contender.js'
import { createRequestListener } from './fetch-adapter.js'
import { declareShop, PATHS } from './declaration.js'

/** Forked as `server.ts <contender> <products> <page size>`; sends its port, then answers questions about itself. */
const [, , contender = '', products = '1000', pageSize = '100'] = process.argv
serveContender(await listenerOf(contender, declareShop(Number(products), Number(pageSize))))

async function listenerOf(name: string, shop: AadpServer): Promise<RequestListener> {
  switch (name) {
    case 'toNodeListener':
      return toNodeListener(shop)
    case 'handleRequest':
      return createRequestListener((request) => shop.handleRequest(request))
    case 'ready buffer':
      return readyBuffer(await readyDocuments(shop))
    case 'ready Response':
      return readyResponse(await readyDocuments(shop))
    default:
      throw new Error(`No contender is named "${name}".`)
  }
}

interface Ready {
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

async function readyDocuments(shop: AadpServer): Promise<ReadonlyMap<string, Ready>> {
  const documents = new Map<string, Ready>()
  for (const path of Object.values(PATHS)) {
    const response = await shop.handleRequest(new Request(`https://shop.example${path}`))
    const headers = Object.fromEntries(response.headers)
    documents.set(path, {
      etag: headers['etag'] ?? '',
      headers,
      body: Buffer.from(await response.arrayBuffer()),
    })
  }
  return documents
}

function readyAt(documents: ReadonlyMap<string, Ready>, path: string): Ready {
  const ready = documents.get(path)
  if (ready === undefined) throw new Error(`Nothing is ready at ${path}.`)
  return ready
}

/** The least that node:http can do: a finished body and its type, nothing at all with a 304. */
function readyBuffer(documents: ReadonlyMap<string, Ready>): RequestListener {
  return (request, response) => {
    const ready = readyAt(documents, request.url ?? '')
    if (request.headers['if-none-match'] === ready.etag) {
      response.writeHead(304)
      response.end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ready.body.length })
    response.end(ready.body)
  }
}

/** The least that a Fetch handler can do and say the same: a finished body and finished headers. */
function readyResponse(documents: ReadonlyMap<string, Ready>): RequestListener {
  return createRequestListener((request) => {
    const ready = readyAt(documents, new URL(request.url).pathname)
    if (request.headers.get('if-none-match') === ready.etag) {
      const { 'content-length': _length, 'content-type': _type, ...headers } = ready.headers
      return new Response(null, { status: 304, headers })
    }
    return new Response(ready.body as Uint8Array<ArrayBuffer>, { headers: ready.headers })
  })
}
