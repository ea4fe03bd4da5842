import type { RequestListener } from 'node:http'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { serveContender } from '../src/serve-contender.js'
import { CONVERSE, MANIFEST, openSite, question } from './site.js'

/** Forked as `server.ts <contender>`. */
const concierge = await openSite()
serveContender(process.argv[2] === 'concierge' ? toNodeListener(concierge) : await readyBuffer(concierge))

/**
 * The least that node:http can do for the same requests: the body is read to its end, and the same bytes are sent, fields
 * and all, from what was made before.
 */
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

    function send({ fields, body }: Finished): void {
      response.writeHead(200, fields)
      response.end(body)
    }
  }
}

interface Finished {
  /** Names and values, as `writeHead` takes them without looking at each. */
  readonly fields: string[]
  readonly body: Buffer
}

function post(body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body }
}

async function finished(site: Concierge, request: Request): Promise<Finished> {
  const response = await site.handleRequest(request)
  const body = Buffer.from(await response.arrayBuffer())
  response.headers.set('content-length', String(body.length))
  return { fields: [...response.headers].flat(), body }
}
