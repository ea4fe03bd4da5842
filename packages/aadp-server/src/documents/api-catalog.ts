import type { ManifestV1 } from '@doorplate/aadp-schemas'
import type { RouteTable } from '../routes/route-table.js'

/** Media type of the catalogue with its profile (RFC 9727 section 4.2). */
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** The target of a link of the catalogue. */
export interface LinkTarget {
  readonly href: string
  readonly type?: string
  readonly title?: string
}

/** The links of one context (RFC 9264 section 4.2). */
export interface LinkContext {
  readonly anchor: string
  readonly [relation: string]: readonly LinkTarget[] | string
}

/** An API catalogue (RFC 9727): a linkset (RFC 9264). */
export interface ApiCatalog {
  readonly linkset: readonly LinkContext[]
}

/** The API catalogue (RFC 9727): what can be called here and where each of it is described. */
export function buildApiCatalog(manifest: ManifestV1, routes: RouteTable, origin: string): ApiCatalog {
  const indexUrl = manifest.discovery.sitemap_index
  const title = manifest.application.name
  const callable = (manifest.interfaces ?? []).flatMap(({ id, endpoint, documentation }) =>
    endpoint === undefined ? [] : [{ id, endpoint, documentation }],
  )
  return {
    linkset: [
      {
        anchor: routes.has('apiCatalog') ? routes.url('apiCatalog') : origin,
        item: [
          { href: indexUrl, type: 'application/json', title },
          ...callable.map(({ id, endpoint }) => ({ href: endpoint, title: id })),
        ],
      },
      {
        anchor: indexUrl,
        'service-meta': [{ href: routes.url('manifest'), type: 'application/json', title }],
        ...(routes.has('openapi') && {
          'service-desc': [{ href: routes.url('openapi'), type: 'application/openapi+json' }],
        }),
        ...(routes.has('llmsTxt') && {
          'service-doc': [{ href: routes.url('llmsTxt'), type: 'text/markdown' }],
        }),
      },
      ...callable.flatMap(({ endpoint, documentation }) =>
        documentation === undefined ? [] : [{ anchor: endpoint, 'service-doc': [{ href: documentation }] }],
      ),
    ],
  }
}
