import type { RequestListener } from 'node:http'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { serveContender } from '../src/serve-contender.js'
import { JOBS } from './jobs.js'
import { openSite } from './site.js'

/** Forked as `server.ts <contender>`. */
const concierge = openSite()
serveContender(process.argv[2] === 'concierge' ? toNodeListener(concierge) : await readyBuffer(concierge))

/** The least that node:http can do for the same requests: the body is read to its end, and a finished one is sent. */
async function readyBuffer(site: Concierge): Promise<RequestListener> {
  const finished = new Map<string, Buffer>()
  for (const { path, method, headers, body = null } of Object.values(JOBS)) {
    const request = new Request(`https://books.example${path}`, { method, headers, body })
    const response = await site.handleRequest(request)
    finished.set(`${path} ${body ?? ''}`, Buffer.from(await response.arrayBuffer()))
  }
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const ready =
        finished.get(`${request.url ?? ''} ${Buffer.concat(chunks).toString()}`) ?? Buffer.alloc(0)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': ready.length })
      response.end(ready)
    })
  }
}
