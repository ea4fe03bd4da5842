import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { toNodeListener as toAadpListener } from '@doorplate/aadp-server/node'
import type { AadpServer } from '@doorplate/aadp-server'
import type { Desk } from '@doorplate/ahp-converse/desk'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { negotiateManifest } from '@doorplate/ahp-manifest'
import type { Site } from './site.js'

export interface Faces {
  readonly site: Site
  readonly aadp: AadpServer
  readonly concierge: Concierge
  readonly desk: Desk
  /** What leads from every response to the rest. */
  readonly link: string
}

/** Gives each request to the face whose path it names; the pages have what is left. */
export function answerRequests(faces: Faces): (request: IncomingMessage, response: ServerResponse) => void {
  const { site, aadp, concierge, desk, link } = faces
  const read = toAadpListener(aadp)
  const ask = toNodeListener(concierge)
  const answerAsPerson = toNodeListener(desk)
  const show = getRequestListener(
    async (request, env) => {
      const page = await site.fetch(request, env)
      if (!isPage(page) || !negotiateManifest(request)) return page
      const { remoteAddress } = env.incoming.socket
      return concierge.handleRequest(request, { remoteAddress })
    },
    { overrideGlobalObjects: false },
  )

  return (request, response) => {
    const target = request.url ?? '/'
    if (aadp.matches(target) || target.startsWith('/ai/')) {
      response.setHeader('link', link)
      read(request, response)
    } else if (desk.matches(target)) answerAsPerson(request, response)
    else if (concierge.matches(target)) ask(request, response)
    else void show(request, response)
  }
}

/**
 * Every page that there is can be had as the manifest; what is not there is not, or nobody could tell that it is not. A 304
 * names no type: whoever has a page already asks for that page.
 */
function isPage({ status, headers }: Response): boolean {
  return status === 200 && headers.get('content-type')?.startsWith('text/html') === true
}
