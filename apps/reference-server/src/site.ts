import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteSignals } from '@doorplate/agent-discovery/publish'
import { ASK_SCRIPT } from './ask/script.js'
import type { Library } from './library.js'
import { documentPage } from './pages/document-page.js'
import { homePage } from './pages/home-page.js'
import { licensePage } from './pages/license-page.js'
import { problemPage } from './pages/problem-page.js'
import { API_CATALOG, ASK_SCRIPT_PATH, HOME, ICON, LICENSE, pageOf, ROBOTS, STYLESHEET } from './routes.js'
import { HTML, SAFETY_HEADERS, type SiteResponse } from './site-response.js'

interface SiteRequest {
  readonly method: string
  /** Path as it was sent, without the query. */
  readonly path: string
  /** Value of `If-None-Match`. */
  readonly ifNoneMatch: string | undefined
}

/** The pages for people and what they are made of. */
export interface Site {
  respond(request: SiteRequest): Promise<SiteResponse>
}

export interface SiteOptions {
  readonly library: Library
  readonly projectRoot: string
  /** Folder of the style sheet and the icon. */
  readonly assetsFolder: string
  readonly origin: string
  readonly signals: SiteSignals
}

interface Content {
  readonly mediaType: string
  readonly body: string
}

export async function createSite(options: SiteOptions): Promise<Site> {
  const { library, projectRoot, assetsFolder, origin, signals } = options
  await library.documents()
  const license = licensePage(await readFile(join(projectRoot, 'LICENSE'), 'utf8'))
  const fixed = new Map<string, Content>([
    [LICENSE, { mediaType: HTML, body: license }],
    ...signals.documents
      .filter(({ path }) => path === ROBOTS || path === API_CATALOG)
      .map(({ path, contentType, body }) => [path, { mediaType: contentType, body }] as const),
    [
      STYLESHEET,
      { mediaType: 'text/css; charset=utf-8', body: await readFile(join(assetsFolder, 'site.css'), 'utf8') },
    ],
    [ASK_SCRIPT_PATH, { mediaType: 'text/javascript; charset=utf-8', body: ASK_SCRIPT }],
    [ICON, { mediaType: 'image/svg+xml', body: await readFile(join(assetsFolder, 'icon.svg'), 'utf8') }],
  ])

  async function contentAt(path: string): Promise<Content | undefined> {
    const known = fixed.get(path)
    if (known !== undefined) return known
    const all = await library.documents()
    if (path === HOME) return { mediaType: HTML, body: homePage(all, { origin }) }
    const document = all.find((candidate) => pageOf(candidate) === path)
    return document && { mediaType: HTML, body: documentPage(document, { all }) }
  }

  async function responseTo(method: string, path: string, ifNoneMatch?: string): Promise<SiteResponse> {
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed()
    const content = await contentAt(path)
    return content === undefined ? notFound() : delivered(content, ifNoneMatch)
  }

  return {
    respond: ({ method, path, ifNoneMatch }) => responseTo(method, path, ifNoneMatch),
  }
}

function delivered({ mediaType, body }: Content, ifNoneMatch: string | undefined): SiteResponse {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const headers = { ...SAFETY_HEADERS, etag, 'cache-control': 'no-cache' }
  if (ifNoneMatch?.trim() === '*' || ifNoneMatch?.includes(etag)) return { status: 304, headers, body: '' }
  return { status: 200, headers: { ...headers, 'content-type': mediaType }, body }
}

function notFound(): SiteResponse {
  return problem(404, problemPage('Nothing here', 'There is no page at this address.'))
}

function methodNotAllowed(): SiteResponse {
  const response = problem(405, problemPage('Not possible', 'The pages of this site can only be read.'))
  return { ...response, headers: { ...response.headers, allow: 'GET, HEAD' } }
}

/** For a request that failed through no fault of its sender. */
export function failure(): SiteResponse {
  return problem(
    500,
    problemPage('Something went wrong', 'This server could not make the page. Please try again.'),
  )
}

function problem(status: number, body: string): SiteResponse {
  return { status, headers: { ...SAFETY_HEADERS, 'content-type': HTML, 'cache-control': 'no-store' }, body }
}
