import { defineAADP, type AadpServer } from '@doorplate/aadp-server'
import type { VerifyCredential } from '@doorplate/ahp-converse/server'
import type { Library } from '../library.js'
import type { Settings } from '../settings/settings.js'
import { LICENSE, ROBOTS } from '../routes.js'
import type { Shop } from '../shop/shop.js'
import { SITE } from '../site-facts.js'
import { documentResources } from './document-resources.js'
import { generatedRecords } from './generated-records.js'
import { LOCALES, postResource } from './posts.js'
import { CUSTOM_ROUTES } from './read-routes.js'
import { CUSTOMER_SCHEME, CUSTOMER_SCHEME_ID, orderResource, productResource } from './shop-resources.js'

export interface PublishParts {
  readonly library: Library
  /** Absent: nothing of the shop is published. */
  readonly shop: Shop | undefined
  readonly verify: VerifyCredential
  readonly origin: string
  readonly settings: Pick<Settings, 'records' | 'routes' | 'pageSize' | 'documentCacheBytes'>
  /** Takes one line about an answer that failed. */
  readonly log: (line: string) => void
}

/**
 * Everything that can be read, as AADP, and the one to ask first. With routes of this site's own the usual ones are served too,
 * for readers who have kept those addresses; the manifest names its own.
 */
export function publishSite(parts: PublishParts): readonly [AadpServer, ...AadpServer[]] {
  const standard = publishAt(parts, {})
  return parts.settings.routes === 'custom' ? [publishAt(parts, CUSTOM_ROUTES), standard] : [standard]
}

function publishAt(
  { library, shop, verify, origin, settings, log }: PublishParts,
  routes: Partial<typeof CUSTOM_ROUTES>,
): AadpServer {
  const { records, pageSize, documentCacheBytes } = settings
  return defineAADP({
    baseUrl: origin,
    application: {
      name: SITE.name,
      description: SITE.description,
      categories: ['documentation', 'developer-tools'],
      publisher: { name: 'The Doorplate contributors', url: `${origin}/` },
    },
    links: { homepage: `${origin}/` },
    policies: {
      robots: `${origin}${ROBOTS}`,
      terms: `${origin}${LICENSE}`,
      content_license: { id: 'MIT', url: `${origin}${LICENSE}` },
    },
    usageGuidance: { default_language: LOCALES[0], available_languages: [...LOCALES] },
    ...(shop === undefined ? {} : { securitySchemes: { [CUSTOMER_SCHEME_ID]: CUSTOMER_SCHEME } }),
    resources: [
      ...documentResources(library),
      postResource,
      ...(shop === undefined ? [] : [productResource(shop), orderResource(shop, verify)]),
      ...(records === 0 ? [] : [generatedRecords(records)]),
    ],
    // One document of each kind for the whole site, which the concierge and the pages serve.
    routes: { ...routes, llmsTxt: false, apiCatalog: false },
    pageSize,
    cacheMaxBytes: documentCacheBytes,
    onError: (error, { operation }) => {
      log(`${operation} failed: ${String(error)}`)
    },
  })
}
