import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { toNodeListener as toAadpListener } from '@doorplate/aadp-server/node'
import type { AadpServer } from '@doorplate/aadp-server'
import type { Desk } from '@doorplate/ahp-converse/desk'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { negotiateManifest } from '@doorplate/ahp-manifest'
import { AGENT_MANIFEST, CONVERSE, HEALTH, LLMS_TXT, MCP, METRICS, OPENAPI } from './routes.js'
import type { Site } from './site.js'

export interface Faces {
  readonly site: Site
  /** The one that has the manifest first. */
  readonly aadp: readonly AadpServer[]
  readonly concierge: Concierge
  readonly desk: Desk
  /** What leads from every response to the rest. */
  readonly link: string
  readonly showMetrics: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** Gives each request to the face whose path it names; the pages have what is left. */
export function answerRequests(faces: Faces): (request: IncomingMessage, response: ServerResponse) => void {
  const { site, aadp, concierge, desk, link, showMetrics } = faces
  const readers = aadp.map((server) => ({ server, read: toAadpListener(server) }))
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

  /** What looks like a document, and is none, is answered as a document would be. */
  function readerOfUnknown(target: string): (typeof readers)[number] | undefined {
    return target.startsWith('/ai/') ? readers.at(-1) : undefined
  }

  return (request, response) => {
    const target = request.url ?? '/'
    const reader = readers.find(({ server }) => server.matches(target)) ?? readerOfUnknown(target)
    if (reader !== undefined) {
      response.setHeader('link', link)
      reader.read(request, response)
    } else if (desk.matches(target)) answerAsPerson(request, response)
    else if (concierge.matches(target)) ask(request, response)
    else if (target === METRICS) void showMetrics(request, response)
    else void show(request, response)
  }
}

const FACES: readonly (readonly [path: string, face: string])[] = [
  [CONVERSE, 'converse'],
  [MCP, 'mcp'],
  [OPENAPI, 'openapi'],
  ['/capabilities/', 'openapi'],
  [AGENT_MANIFEST, 'manifest'],
  [LLMS_TXT, 'content'],
  [HEALTH, 'health'],
  [METRICS, 'metrics'],
]

/** What a target is for, in one of a few words. */
export function createFaceOf({ aadp, desk }: Pick<Faces, 'aadp' | 'desk'>): (target: string) => string {
  return (target) => {
    if (aadp.some((server) => server.matches(target)) || target.startsWith('/ai/')) return 'read'
    if (desk.matches(target)) return 'desk'
    return FACES.find(([path]) => target.startsWith(path))?.[1] ?? 'pages'
  }
}

/**
 * Every page that there is can be had as the manifest; what is not there is not, or nobody could tell that it is not. A 304
 * names no type: whoever has a page already asks for that page.
 */
function isPage({ status, headers }: Response): boolean {
  return status === 200 && headers.get('content-type')?.startsWith('text/html') === true
}
