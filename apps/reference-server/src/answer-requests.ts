import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeListener as toAadpListener } from '@doorplate/aadp-server/node'
import type { AadpServer } from '@doorplate/aadp-server'
import type { Desk } from '@doorplate/ahp-converse/desk'
import { toNodeListener, type NodeListener } from '@doorplate/ahp-converse/node'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { negotiateManifest } from '@doorplate/ahp-manifest'
import type { AskSite } from './ask/ask-site.js'
import { readText } from './read-text.js'
import { failure, type Site } from './site.js'
import type { SiteResponse } from './site-response.js'

export interface Faces {
  readonly site: Site
  readonly aadp: AadpServer
  readonly concierge: Concierge
  readonly desk: Desk
  readonly askSite: AskSite
  /** What leads from every response to the rest. */
  readonly link: string
  /** Takes one line about something that went wrong while answering. */
  readonly log: (line: string) => void
}

/** Gives each request to the face whose path it names; the pages have what is left. */
export function answerRequests(faces: Faces): (request: IncomingMessage, response: ServerResponse) => void {
  const { site, askSite, aadp, concierge, desk, link, log } = faces
  const read = toAadpListener(aadp)
  const ask = toNodeListener(concierge)
  const answerAsPerson = toNodeListener(desk)

  return (request, response) => {
    const target = request.url ?? '/'
    if (aadp.matches(target) || target.startsWith('/ai/')) {
      response.setHeader('link', link)
      read(request, response)
    } else if (desk.matches(target)) answerAsPerson(request, response)
    else if (concierge.matches(target)) ask(request, response)
    else void answerPerson({ site, askSite, link, log }, { request, response, ask })
  }
}

/** Every page that there is can be had as the manifest; what is not there is not, or nobody could tell that it is not. */
function asksForManifest({ method = '', headers: { accept } }: IncomingMessage): boolean {
  return accept !== undefined && negotiateManifest({ method, headers: { get: () => accept } })
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The concierge. */
  readonly ask: NodeListener
}

async function answerPerson(
  { site, askSite, link, log }: Pick<Faces, 'site' | 'askSite' | 'link' | 'log'>,
  { request, response, ask }: Exchange,
): Promise<void> {
  const { method = '', url = '', headers } = request
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const page = await (
    askSite.matches(path)
      ? askSite.respond({
          method,
          path,
          address: request.socket.remoteAddress ?? '',
          header: (name) => headers[name]?.toString(),
          readBody: (maxBytes) => readText(request, maxBytes),
        })
      : site.respond({ method, path, ifNoneMatch: headers['if-none-match'] })
  ).catch((error: unknown) => {
    log(`${JSON.stringify(path)} failed: ${String(error)}`)
    return failure()
  })
  if (isPage(page) && asksForManifest(request)) ask(request, response)
  else send({ ...page, headers: { ...page.headers, link, vary: 'Accept' } }, response)
}

/** A 304 names no type: whoever has a page already asks for that page. */
function isPage({ status, headers }: SiteResponse): boolean {
  return status === 200 && headers['content-type']?.startsWith('text/html') === true
}

function send({ status, headers, body }: SiteResponse, response: ServerResponse): void {
  const bytes = Buffer.from(body)
  const length = status === 304 ? {} : { 'content-length': bytes.length }
  response.writeHead(status, { ...headers, ...length }).end(bytes)
}
