import type { RequestListener } from 'node:http'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { serveContender } from '../src/serve-contender.js'
import { CONVERSE, MANIFEST, openSite, question } from './site.js'

/** Forked as `server.ts <contender>`. */
const concierge = await openSite()
serveContender(process.argv[2] === 'concierge' ? toNodeListener(concierge) : await readyBuffer(concierge))

/** The least that node:http can do for the same requests: the body is read to its end, and a finished one is sent. */
async function readyBuffer(site: Concierge): Promise<RequestListener> {
  const [manifest, reply] = await Promise.all([
    finished(site, new Request(`https://books.example${MANIFEST}`)),
    finished(site, new Request(`https://books.example${CONVERSE}`, post(question('kept', 0)))),
  ])
  return (request, response) => {
    if (request.method !== 'POST') {
      send(manifest)
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      send(reply)
    })

    function send(body: Buffer): void {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    }
  }
}

function post(body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body }
}

async function finished(site: Concierge, request: Request): Promise<Buffer> {
  return Buffer.from(await (await site.handleRequest(request)).arrayBuffer())
}
