import type { ManifestV1 } from '@doorplate/aadp-schemas'
import { canonicalize, sha256Hex } from '@doorplate/aadp-schemas/canonical-json'
import { API_CATALOG_TYPE, buildApiCatalog } from './api-catalog.js'
import type { Settings } from '../config/check-config.js'
import type { DeliveryPolicy } from '../config/delivery-policy.js'
import { buildLlmsTxt } from './llms-txt.js'
import { buildOpenApiDocument } from './openapi-document.js'
import { createDocument, type PublishedDocument } from './published-document.js'
import type { RouteName, RouteTable } from '../routes/route-table.js'

export type DeclaredName = Extract<RouteName, 'manifest' | 'apiCatalog' | 'openapi' | 'llmsTxt'>

/** The documents that follow from the declaration alone, each made when it is first asked for. */
export interface DeclaredDocuments {
  /** A fresh copy. */
  manifest(): ManifestV1
  document(name: DeclaredName): PublishedDocument
}

export function createDeclaredDocuments(
  manifestText: string,
  settings: Settings,
  routes: RouteTable,
  delivery: DeliveryPolicy,
): DeclaredDocuments {
  const { origin, resources } = settings
  const documents = new Map<DeclaredName, PublishedDocument>()

  function manifest(): ManifestV1 {
    return JSON.parse(manifestText) as ManifestV1
  }

  /** None of these has a checksum of its own; the entity-tag is one over the text. */
  function create(
    text: string,
    contentType: string,
    headers: Readonly<Record<string, string>> = {},
  ): PublishedDocument {
    return createDocument({
      text,
      contentType,
      tag: `sha256:${sha256Hex(text)}`,
      lastModifiedMs: settings.lastModified?.timeMs,
      cacheControl: delivery.publicCacheControl,
      headers,
    })
  }

  function build(name: DeclaredName): PublishedDocument {
    switch (name) {
      case 'manifest':
        return create(manifestText, 'application/json')
      case 'apiCatalog':
        return create(canonicalize(buildApiCatalog(manifest(), routes, origin)), API_CATALOG_TYPE, {
          link: `<${routes.url('apiCatalog')}>; rel="api-catalog"`,
        })
      case 'openapi':
        return create(
          canonicalize(buildOpenApiDocument(manifest(), resources, routes, origin)),
          'application/json',
        )
      case 'llmsTxt':
        return create(buildLlmsTxt(manifest(), routes), 'text/markdown; charset=utf-8')
    }
  }

  return {
    manifest,
    document(name) {
      const known = documents.get(name)
      if (known !== undefined) return known
      const document = build(name)
      documents.set(name, document)
      return document
    },
  }
}
