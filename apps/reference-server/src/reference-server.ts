import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeListener } from '@doorplate/aadp-server/node'
import { prepareDataFolder } from './data-folder.js'
import { openDocumentDates } from './document-dates.js'
import type { ServerAddresses } from './first-steps.js'
import { listen, type HttpServer } from './http-server.js'
import { createLibrary, type Library } from './library.js'
import { publishDocuments } from './published-documents.js'
import type { Settings } from './settings.js'
import { createSite, failure, type Site, type SiteOptions, type SiteResponse } from './site.js'
import { StartError } from './start-error.js'

export interface ReferenceServer
  extends ServerAddresses, Pick<Library, 'documents'>, Pick<HttpServer, 'stop'> {}

export interface ReferenceServerParts {
  /** Folder whose documentation is published. */
  readonly projectRoot: string
  /** Folder of the style sheet and the icon. */
  readonly assetsFolder: string
  readonly now: () => number
  /** Takes one line about something that went wrong while serving. */
  readonly log: (line: string) => void
}

/** Everything put together: pages and AADP documents from one library, behind one listener. Throws `StartError`. */
export async function startReferenceServer(
  settings: Settings,
  { projectRoot, assetsFolder, now, log }: ReferenceServerParts,
): Promise<ReferenceServer> {
  await prepareDataFolder(settings.dataDir)
  const dates = await openDocumentDates(settings.dataDir, { now })
  const library = createLibrary({ projectRoot, dates, warn: log })

  const server = await listen(settings)
  const origin = settings.publicUrl ?? server.origin
  const site = await prepareSite({ library, projectRoot, assetsFolder, origin }, server)
  const aadp = publishDocuments(library, { origin, log })
  const answerAgent = toNodeListener(aadp)

  server.serve((request, response) => {
    const url = request.url ?? ''
    if (aadp.matches(url) || url.startsWith('/ai/')) answerAgent(request, response)
    else void answerPerson(site, { request, response, log })
  })
  return {
    origin,
    address: server.origin,
    documents: () => library.documents(),
    stop: (options) => server.stop(options),
  }
}

async function prepareSite(options: SiteOptions, server: HttpServer): Promise<Site> {
  try {
    await options.library.documents()
    return await createSite(options)
  } catch (error) {
    await server.stop({ graceMs: 0 })
    throw new StartError(`The documents cannot be read: ${(error as Error).message}`)
  }
}

interface Exchange extends Pick<ReferenceServerParts, 'log'> {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function answerPerson(site: Site, { request, response, log }: Exchange): Promise<void> {
  const { method = '', url = '', headers } = request
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const page = await site
    .respond({ method, path, ifNoneMatch: headers['if-none-match'] })
    .catch((error: unknown) => {
      log(`${JSON.stringify(path)} failed: ${String(error)}`)
      return failure()
    })
  send(page, response)
}

function send({ status, headers, body }: SiteResponse, response: ServerResponse): void {
  const bytes = Buffer.from(body)
  const length = status === 304 ? {} : { 'content-length': bytes.length }
  response.writeHead(status, { ...headers, ...length }).end(bytes)
}
