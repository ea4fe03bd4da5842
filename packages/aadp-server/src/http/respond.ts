import { isNotModified } from '../documents/conditional-request.js'
import type { EntityForm } from '../documents/entity-publisher.js'
import { errorResponse } from './error-response.js'
import { OperationFailure, reportFault } from '../errors/fault.js'
import type { MaybePromise } from '../upstream/maybe-promise.js'
import type { DocumentWish, Publication } from '../documents/publication.js'
import { CORS_HEADERS, type CoreResponse, type PublishedDocument } from '../documents/published-document.js'
import { parseQualityValues } from '../config/quality-values.js'
import { type IncomingRequest, RequestContext } from '../upstream/request-context.js'
import type { RouteMatch } from '../routes/route-table.js'
import { AadpServerError, isAadpServerError, notFound, upstreamUnavailable } from '../errors/server-error.js'
import { splitTarget } from '../routes/split-target.js'
import { untilAborted } from '../upstream/until-aborted.js'

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'
const PREFLIGHT_MAX_AGE_SECONDS = 86_400

export type Responder = (incoming: IncomingRequest) => MaybePromise<CoreResponse>

/**
 * The pure core: a request in, a response out, on any server. It rejects only when the requester has gone, with the
 * reason of its signal.
 */
export function createResponder(publication: Publication, requestHeaders: readonly string[]): Responder {
  const { settings, routes } = publication
  const preflight: CoreResponse = {
    status: 204,
    headers: {
      allow: ALLOWED_METHODS,
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-allow-headers': requestHeaders.join(', '),
      'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
      ...CORS_HEADERS,
    },
    body: null,
  }

  function publish(
    route: RouteMatch,
    query: string,
    incoming: IncomingRequest,
    context: RequestContext,
  ): MaybePromise<PublishedDocument> {
    const { type = '', id = '' } = route.values
    switch (route.name) {
      case 'manifest':
      case 'apiCatalog':
      case 'openapi':
      case 'llmsTxt':
        return publication.declared.document(route.name)
      case 'sitemapIndex':
        return publication.sitemapIndex(context)
      case 'sitemap':
        return publication.sitemap(type, readWish(query, incoming), context)
      case 'entity':
        return publication.entity(type, id, readWish(query, incoming), context)
    }
  }

  function choose(document: PublishedDocument, incoming: IncomingRequest): CoreResponse {
    if (isNotModified(incoming.headers, document, settings.now)) return document.notModified
    return incoming.method === 'HEAD' ? document.head : document.full
  }

  function fail(error: unknown, incoming: IncomingRequest, context: RequestContext): CoreResponse {
    if (incoming.signal.aborted) throw incoming.signal.reason
    const refusal = toServerError(error)
    if (refusal.status >= 500) reportFault(settings, error, 'request_failed', context)
    const allow = refusal.status === 405 ? { allow: ALLOWED_METHODS } : {}
    const response = errorResponse(refusal, context.requestId, allow)
    return incoming.method === 'HEAD' ? { ...response, body: null } : response
  }

  return function respond(incoming) {
    if (incoming.method === 'OPTIONS') return preflight
    const context = new RequestContext(incoming, settings.requestId)
    try {
      const { path, query } = splitTarget(incoming.url)
      const route = routes.match(path)
      if (route === undefined) throw notFound()
      if (incoming.method !== 'GET' && incoming.method !== 'HEAD') throw methodNotAllowed()
      const document = publish(route, query, incoming, context)
      if (!(document instanceof Promise)) return choose(document, incoming)
      return untilAborted(document, incoming.signal).then(
        (published) => choose(published, incoming),
        (error: unknown) => fail(error, incoming, context),
      )
    } catch (error) {
      return fail(error, incoming, context)
    }
  }
}

/** What the requester is told: a thrown `AadpServerError` as it is, of anything else only that it happened. */
export function toServerError(error: unknown): AadpServerError {
  const cause = error instanceof OperationFailure ? error.cause : error
  return isAadpServerError(cause) ? cause : upstreamUnavailable(undefined, { cause })
}

function readWish(query: string, { headers }: IncomingRequest): DocumentWish {
  const acceptLanguage = headers.get('accept-language')
  const form = preferredForm(headers.get('accept'))
  if (query === '') return { acceptLanguage, form }
  const parameters = new URLSearchParams(query)
  return {
    cursor: parameters.get('cursor') ?? undefined,
    locale: parameters.get('locale') ?? undefined,
    acceptLanguage,
    form,
  }
}

/** JSON unless Markdown is named, weighs more than JSON where that is named, and no less than anything at all. */
function preferredForm(accept: string | null): EntityForm {
  if (accept === null || !/markdown/i.test(accept)) return 'json'
  const members = parseQualityValues(accept)
  const qualityOf = (...names: readonly string[]): number =>
    members.find(({ value }) => names.includes(value))?.quality ?? 0
  const markdown = qualityOf('text/markdown')
  const isPreferred =
    markdown > qualityOf('application/json', 'application/*') && markdown >= qualityOf('*/*')
  return isPreferred ? 'markdown' : 'json'
}

function methodNotAllowed(): AadpServerError {
  return new AadpServerError('method_not_allowed', 405, `Only ${ALLOWED_METHODS} are allowed here.`)
}
