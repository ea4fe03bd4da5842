import type { AadpConfig } from '../config/aadp-config.js'
import { ByteLruCache } from './byte-lru-cache.js'
import { checkConfig, type Settings } from '../config/check-config.js'
import { createCursorCodec } from './cursor.js'
import { createDeclaredDocuments, type DeclaredDocuments } from './declared-documents.js'
import { createDeliveryPolicy, type DeliveryPolicy } from '../config/delivery-policy.js'
import { createDocumentCache } from './document-cache.js'
import { type EntityForm, createEntityPublisher } from './entity-publisher.js'
import { ENTITY_NAME_RULE, isEntityName } from '../records/entity-representation.js'
import { negotiateLocale } from '../config/locale.js'
import { buildManifestText } from './manifest-document.js'
import type { MaybePromise } from '../upstream/maybe-promise.js'
import type { PublishedDocument } from './published-document.js'
import { createRecordPublisher, type PublishedRecord } from './record-publisher.js'
import type { RequestContext } from '../upstream/request-context.js'
import type { Resource } from '../config/resource-config.js'
import { createRouteTable, type RouteTable } from '../routes/route-table.js'
import { invalidRequest, unsupportedType } from '../errors/server-error.js'
import { createSitemapIndexPublisher } from './sitemap-index-publisher.js'
import { createSitemapPublisher, type PublishedPage } from './sitemap-publisher.js'
import { createUpstream } from '../upstream/upstream.js'

/** What a request may say about the document it wants, beyond its path. */
export interface DocumentWish {
  /** `undefined` for the first page. */
  readonly cursor?: string | undefined
  readonly locale?: string | undefined
  readonly acceptLanguage?: string | null
  readonly form?: EntityForm
}

/** Every document of one declaration, ready to be sent. */
export interface Publication {
  readonly settings: Settings
  readonly routes: RouteTable
  readonly delivery: DeliveryPolicy
  /** The documents that follow from the declaration alone. */
  readonly declared: DeclaredDocuments
  /** Throws 404 `unsupported_type`. */
  resource(type: string): Resource
  sitemapIndex(context: RequestContext): MaybePromise<PublishedDocument>
  sitemap(type: string, wish: DocumentWish, context: RequestContext): MaybePromise<PublishedDocument>
  /** @param name the part of the entity id after `type:` */
  entity(
    type: string,
    name: string,
    wish: DocumentWish,
    context: RequestContext,
  ): MaybePromise<PublishedDocument>
}

/** Throws `AadpConfigError` when the declaration cannot be published. */
export function createPublication(config: AadpConfig): Publication {
  const settings = checkConfig(config)
  const { origin, cacheMaxBytes, documentCacheMs, now, resources } = settings
  const routes = createRouteTable(origin, config.routes)
  const manifestText = buildManifestText(config, resources, routes.url('sitemapIndex'))
  const delivery = createDeliveryPolicy(config.securitySchemes, settings.cacheMaxAgeSeconds)
  const upstream = createUpstream(settings)

  const quarterOfCache = Math.floor(cacheMaxBytes / 4)
  const records = createRecordPublisher(
    new ByteLruCache<PublishedRecord>(2 * quarterOfCache),
    routes,
    origin,
    now,
  )
  const pages = new ByteLruCache<PublishedPage>(quarterOfCache)
  const documents = createDocumentCache(documentCacheMs, quarterOfCache, now)

  const cursors = createCursorCodec('1.0', settings.cursorSecrets)
  const indexes = createSitemapIndexPublisher(settings, upstream, routes, delivery)
  const sitemaps = createSitemapPublisher({ settings, upstream, records, cursors, delivery, pages })
  const entities = createEntityPublisher(upstream, records, delivery)

  function resourceOf(type: string): Resource {
    const resource = resources.get(type)
    if (resource === undefined) throw unsupportedType()
    return resource
  }

  function throughCache(
    resource: Resource,
    key: readonly (string | undefined)[],
    context: RequestContext,
    publish: (context: RequestContext) => MaybePromise<PublishedDocument>,
  ): MaybePromise<PublishedDocument> {
    if (documentCacheMs === 0 || delivery.isSecured(resource)) return publish(context)
    return documents.through(JSON.stringify([resource.type, ...key]), context, publish)
  }

  return {
    settings,
    routes,
    delivery,
    declared: createDeclaredDocuments(manifestText, settings, routes, delivery),
    resource: resourceOf,
    sitemapIndex: (context) => indexes.publish(context),

    sitemap(type, wish, context) {
      const resource = resourceOf(type)
      const locale = localeOf(resource, wish)
      return throughCache(resource, ['sitemap', wish.cursor, locale], context, (caller) =>
        sitemaps.publish(resource, wish.cursor, locale, caller),
      )
    },

    entity(type, name, wish, context) {
      const resource = resourceOf(type)
      if (!isEntityName(name))
        throw invalidRequest(`The id is not valid: after the type it ${ENTITY_NAME_RULE}.`)
      const locale = localeOf(resource, wish)
      const form = resource.markdown === undefined ? 'json' : (wish.form ?? 'json')
      return throughCache(resource, ['entity', name, locale, form], context, (caller) =>
        entities.publish(resource, name, locale, form, caller),
      )
    },
  }
}

function localeOf(
  { locales }: Resource,
  { locale, acceptLanguage = null }: DocumentWish,
): string | undefined {
  return locales && negotiateLocale(locales, { locale, acceptLanguage })
}
