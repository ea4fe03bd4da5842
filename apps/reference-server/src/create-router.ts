import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { toNodeListener as toAadpListener } from '@doorplate/aadp-server/node'
import type { AadpServer, CoreResponse } from '@doorplate/aadp-server'
import type { Desk } from '@doorplate/ahp-converse/desk'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { negotiateManifest } from '@doorplate/ahp-manifest'
import { leadToOrigin } from './lead-to-origin.js'
import { limitGuesses, type GuessLimits } from './limit-guesses.js'
import { AGENT_MANIFEST, CONVERSE, HEALTH, LLMS_TXT, MANIFEST, MCP, METRICS, OPENAPI } from './routes.js'
import type { Site } from './site.js'

export interface Faces {
  readonly site: Site
  /** The one that has the manifest first. */
  readonly aadp: readonly [AadpServer, ...AadpServer[]]
  readonly concierge: Concierge
  readonly desk: Desk
  readonly guesses: GuessLimits
  readonly origin: string
  /** What leads from every response to the rest. */
  readonly link: string
  readonly showMetrics: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** A part of the site, which answers. */
export interface Route {
  /** One of a few words. */
  readonly face: string
  readonly answer: Listener
}

/** Finds who answers a target: the face whose path it names; the pages have what is left. */
export function createRouter(faces: Faces): (target: string) => Route {
  const { aadp, concierge, desk, origin } = faces
  const readers = aadp.map((server) => ({ server, route: readRoute(server, faces) }))
  const lastReader = readers.at(-1)?.route
  const forOperators: Route = {
    face: 'desk',
    answer: leadToOrigin(limitGuesses(toNodeListener(desk), faces.guesses), origin),
  }
  const metrics: Route = { face: 'metrics', answer: (...exchange) => void faces.showMetrics(...exchange) }
  const pages: Route = { face: 'pages', answer: leadToOrigin(pageListener(faces), origin) }
  const askFace = askRoutes(toNodeListener(concierge))

  function routeOf(target: string): Route {
    const found = readers.find(({ server }) => server.matches(target))
    if (found !== undefined) return found.route
    // What looks like a document, and is none, is answered as a document would be.
    if (lastReader !== undefined && target.startsWith('/ai/')) return lastReader
    if (desk.matches(target)) return forOperators
    if (concierge.matches(target)) return askFace(target)
    return target === METRICS ? metrics : pages
  }

  // Most requests are for one of a few targets.
  const known = new Map<string, Route>(FREQUENT.map((target) => [target, routeOf(target)]))
  return (target) => known.get(target) ?? routeOf(target)
}

function readRoute(server: AadpServer, { link }: Faces): Route {
  const linked = new WeakMap<CoreResponse['headers'], CoreResponse['headers']>()
  function withLink(response: CoreResponse): CoreResponse {
    let headers = linked.get(response.headers)
    if (headers === undefined) {
      headers = { ...response.headers, link }
      linked.set(response.headers, headers)
    }
    return { ...response, headers }
  }

  const respond: AadpServer['respond'] = (request) => {
    const response = server.respond(request)
    return response instanceof Promise ? response.then(withLink) : withLink(response)
  }
  return { face: 'read', answer: toAadpListener({ ...server, respond }) }
}

const FREQUENT = [MANIFEST, AGENT_MANIFEST, CONVERSE, MCP, LLMS_TXT, HEALTH] as const

const ASK_FACES: readonly (readonly [path: string, face: string])[] = [
  [CONVERSE, 'converse'],
  [MCP, 'mcp'],
  [OPENAPI, 'openapi'],
  ['/capabilities/', 'openapi'],
  [AGENT_MANIFEST, 'manifest'],
  [LLMS_TXT, 'content'],
  [HEALTH, 'health'],
]

function askRoutes(answer: Listener): (target: string) => Route {
  const routes = ASK_FACES.map(([path, face]) => ({ path, route: { face, answer } }))
  const other = { face: 'ask', answer }
  return (target) => routes.find(({ path }) => target.startsWith(path))?.route ?? other
}

function pageListener({ site, concierge }: Faces): Listener {
  const show = getRequestListener(
    async (request, env) => {
      const page = await site.fetch(request, env)
      if (!isPage(page) || !negotiateManifest(request)) return page
      const { remoteAddress } = env.incoming.socket
      return concierge.handleRequest(request, { remoteAddress })
    },
    { overrideGlobalObjects: false },
  )
  return (request, response) => void show(request, response)
}

/**
 * Every page that there is can be had as the manifest; what is not there is not, or nobody could tell that it is not. A 304
 * names no type: whoever has a page already asks for that page.
 */
function isPage({ status, headers }: Response): boolean {
  return status === 200 && headers.get('content-type')?.startsWith('text/html') === true
}
