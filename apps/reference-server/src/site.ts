import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteSignals } from '@doorplate/agent-discovery/publish'
import { Hono } from 'hono'
import { ASK_SCRIPT } from './ask/script.js'
import type { DocumentType } from './document-sources.js'
import type { Library } from './library.js'
import { LIVE_SCRIPT } from './pages/live-script.js'
import { documentPage } from './pages/document-page.js'
import { HOME_SCRIPT } from './pages/home-script.js'
import { licensePage } from './pages/license-page.js'
import { failure, methodNotAllowed, notFound } from './pages/problems.js'
import {
  API_CATALOG,
  ASK_SCRIPT_PATH,
  DESK_STYLESHEET,
  DOCUMENT,
  HOME_SCRIPT_PATH,
  ICON,
  LICENSE,
  LIVE_SCRIPT_PATH,
  ROBOTS,
  STYLESHEET,
} from './routes.js'
import type { SiteEnv } from './site-env.js'
import { HTML, keptResponse } from './site-response.js'

/** The pages for people and what they are made of. */
export type Site = Hono<SiteEnv>

export interface SiteOptions {
  readonly library: Library
  readonly projectRoot: string
  /** Folder of the style sheet and the icon. */
  readonly assetsFolder: string
  readonly signals: SiteSignals
  /** Takes one line about a page that could not be made. */
  readonly log: (line: string) => void
}

interface Content {
  readonly mediaType: string
  readonly body: string
}

export async function createSite(options: SiteOptions): Promise<Site> {
  const { library, signals, log } = options
  await library.documents()
  const site: Site = new Hono<SiteEnv>()

  site.use(async (context, next) => {
    await next()
    context.header('link', signals.linkHeader)
    context.header('vary', 'Accept', { append: true })
  })
  for (const [path, content] of await fixedContents(options))
    site.get(path, ({ req }) => keptResponse(req.raw, content))
  site.get(DOCUMENT, async ({ req }) => {
    const { type, slug } = req.param()
    const document = await library.find(type as DocumentType, slug)
    if (document === undefined) return notFound()
    const body = documentPage(document, { all: await library.documents() })
    return keptResponse(req.raw, { mediaType: HTML, body })
  })
  site.notFound(({ req: { method } }) =>
    method === 'GET' || method === 'HEAD' ? notFound() : methodNotAllowed(['GET', 'HEAD']),
  )
  site.onError((error, { req }) => {
    log(`${JSON.stringify(req.path)} failed: ${String(error)}`)
    return failure()
  })
  return site
}

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

async function fixedContents({
  projectRoot,
  assetsFolder,
  signals,
}: SiteOptions): Promise<ReadonlyMap<string, Content>> {
  const license = licensePage(await readFile(join(projectRoot, 'LICENSE'), 'utf8'))
  const asset = (name: string): Promise<string> => readFile(join(assetsFolder, name), 'utf8')
  const icon = await asset('icon.svg')
  return new Map([
    [LICENSE, { mediaType: HTML, body: license }],
    [STYLESHEET, { mediaType: CSS, body: await asset('site.css') }],
    [DESK_STYLESHEET, { mediaType: CSS, body: await asset('desk.css') }],
    [ASK_SCRIPT_PATH, { mediaType: JAVASCRIPT, body: ASK_SCRIPT }],
    [HOME_SCRIPT_PATH, { mediaType: JAVASCRIPT, body: HOME_SCRIPT }],
    [LIVE_SCRIPT_PATH, { mediaType: JAVASCRIPT, body: LIVE_SCRIPT }],
    [ICON, { mediaType: 'image/svg+xml', body: icon }],
    ...signals.documents
      .filter(({ path }) => path === ROBOTS || path === API_CATALOG)
      .map(({ path, contentType, body }) => [path, { mediaType: contentType, body }] as const),
  ])
}
