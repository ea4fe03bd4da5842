import type { EntityV1, ManifestV1, SitemapIndexV1, SitemapV1 } from '@doorplate/aadp-schemas'
import type { AadpConfig } from './config/aadp-config.js'
import { type ApiCatalog, buildApiCatalog } from './documents/api-catalog.js'
import { createFetchHandler } from './http/fetch-handler.js'
import { buildLinkHeader } from './documents/link-header.js'
import { buildLlmsTxt } from './documents/llms-txt.js'
import { buildOpenApiDocument, type OpenApiDocument } from './documents/openapi-document.js'
import type { MaybePromise } from './upstream/maybe-promise.js'
import { createPublication, type DocumentWish } from './documents/publication.js'
import type { CoreResponse, PublishedDocument } from './documents/published-document.js'
import { type IncomingRequest, RequestContext } from './upstream/request-context.js'
import { createResponder, toServerError } from './http/respond.js'
import { splitTarget } from './routes/split-target.js'
import { untilAborted } from './upstream/until-aborted.js'

/** An application that is found and read by agents over AADP 1.0. */
export interface AadpServer {
  /** Scheme, host and port of every published URL. */
  readonly origin: string
  /** A fresh copy of the manifest. */
  manifest(): ManifestV1
  /** The sitemap index. */
  sitemapIndex(request?: Request): Promise<SitemapIndexV1>
  /** A page of a sitemap; the first without a cursor. Rejects with `AadpServerError`. */
  sitemap(type: string, cursor?: string | null, request?: Request): Promise<SitemapV1>
  /** One entity; `id` is the part after `type:`. Rejects with `AadpServerError`. */
  entity(type: string, id: string, request?: Request): Promise<EntityV1>
  /** The API catalogue (RFC 9727), served as a linkset. */
  apiCatalog(): ApiCatalog
  /** The published routes as an OpenAPI 3.1 document. */
  openapi(): OpenApiDocument
  /** The llms.txt listing. */
  llmsTxt(): string
  /** Value of a `Link` field (RFC 8288) for the pages of the site. */
  linkHeader(): string
  /** Answers a Fetch request; errors become responses. Rejects only with the reason of an aborted request. */
  handleRequest(request: Request): Promise<Response>
  /** The same core without Fetch objects, for adapters to other servers. */
  respond(incoming: IncomingRequest): MaybePromise<CoreResponse>
  /** True when the path of a URL is one of the published routes, for adapters that pass on what is not. */
  matches(url: string): boolean
}

/**
 * Publishes an application from one declaration. Throws `AadpConfigError`, which names the option at fault, when
 * the declaration cannot be published; after that nothing of it is read again.
 */
export function defineAADP(config: AadpConfig): AadpServer {
  const publication = createPublication(config)
  const { settings, routes, declared } = publication
  const respond = createResponder(publication, requestHeadersOf(config))

  async function documentOf<Document>(
    publish: (wish: DocumentWish, context: RequestContext) => MaybePromise<PublishedDocument>,
    request: Request | undefined,
  ): Promise<Document> {
    const context = new RequestContext(request && { signal: request.signal, request }, settings.requestId)
    try {
      const document = publish(wishOf(request), context)
      const waiting = request !== undefined && document instanceof Promise
      return parseDocument(await (waiting ? untilAborted(document, request.signal) : document)) as Document
    } catch (error) {
      if (request?.signal.aborted === true) throw request.signal.reason
      throw toServerError(error)
    }
  }

  return Object.freeze({
    origin: settings.origin,
    manifest: () => declared.manifest(),
    apiCatalog: () => buildApiCatalog(declared.manifest(), routes, settings.origin),
    openapi: () => buildOpenApiDocument(declared.manifest(), settings.resources, routes, settings.origin),
    llmsTxt: () => buildLlmsTxt(declared.manifest(), routes),
    linkHeader: () => buildLinkHeader(routes),
    sitemapIndex: (request) => documentOf((_wish, context) => publication.sitemapIndex(context), request),
    sitemap: (type, cursor, request) =>
      documentOf(
        (wish, context) => publication.sitemap(type, { ...wish, cursor: cursor ?? undefined }, context),
        request,
      ),
    entity: (type, id, request) =>
      documentOf((wish, context) => publication.entity(type, id, wish, context), request),
    handleRequest: createFetchHandler(respond),
    respond,
    matches: (url) => routes.knows(splitTarget(url).path),
  } satisfies AadpServer)
}

/** Request fields that a page of another origin may send. */
function requestHeadersOf({ securitySchemes = {} }: AadpConfig): string[] {
  const names = Object.values(securitySchemes).flatMap((scheme) =>
    scheme.type === 'api_key' && scheme.in === 'header' ? [scheme.name] : [],
  )
  return ['If-None-Match', 'If-Modified-Since', 'Authorization', ...new Set(names)]
}

function wishOf(request: Request | undefined): DocumentWish {
  if (request === undefined) return {}
  const locale = new URL(request.url).searchParams.get('locale') ?? undefined
  return { locale, acceptLanguage: request.headers.get('accept-language') }
}

function parseDocument({ full }: PublishedDocument): unknown {
  return JSON.parse(new TextDecoder().decode(full.body ?? undefined))
}
