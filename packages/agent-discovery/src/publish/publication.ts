import type { Kind } from '../resources/kind.js'

/** How a kind is published. */
export interface Publication {
  readonly relation?: string
  readonly mediaType?: string
  /** A `<meta name>`, for kinds without a relation type. */
  readonly meta?: string
  /** A line of robots.txt. */
  readonly robots?: 'Agentmap' | 'License' | 'Schemamap' | 'Sitemap'
  /** Belongs into an ARD manifest. */
  readonly listed?: boolean
  /** Its relation in an API catalog (RFC 9727, RFC 8631). */
  readonly catalogued?: 'service-desc' | 'service-doc' | 'service-meta' | 'status' | 'item'
}

/** The kinds that can be published. */
export type PublishedKind = Extract<
  Kind,
  | 'ahp-manifest'
  | 'aadp-manifest'
  | 'llms-txt'
  | 'llms-full-txt'
  | 'markdown'
  | 'auth-md'
  | 'openapi'
  | 'api-catalog'
  | 'api-documentation'
  | 'service-metadata'
  | 'service-status'
  | 'a2a-agent-card'
  | 'mcp-server-card'
  | 'mcp-endpoint'
  | 'agent-skills-index'
  | 'ai-catalog'
  | 'rsl-license'
  | 'nlweb-schemamap'
  | 'sitemap'
>

export const PUBLICATIONS: Readonly<Record<PublishedKind, Publication>> = {
  'ahp-manifest': { relation: 'ahp-manifest', mediaType: 'application/agent+json', listed: true },
  'aadp-manifest': { relation: 'api-catalog', mediaType: 'application/json', listed: true },
  'llms-txt': { relation: 'describedby', mediaType: 'text/markdown' },
  'llms-full-txt': { meta: 'llms-full', mediaType: 'text/markdown' },
  markdown: { relation: 'alternate', mediaType: 'text/markdown' },
  'auth-md': { meta: 'auth', mediaType: 'text/markdown' },
  openapi: {
    relation: 'service-desc',
    mediaType: 'application/openapi+json',
    listed: true,
    catalogued: 'service-desc',
  },
  'api-catalog': { relation: 'api-catalog', mediaType: 'application/linkset+json' },
  'api-documentation': { relation: 'service-doc', mediaType: 'text/html', catalogued: 'service-doc' },
  'service-metadata': { relation: 'service-meta', catalogued: 'service-meta' },
  'service-status': { relation: 'status', catalogued: 'status' },
  'a2a-agent-card': { relation: 'agent-card', mediaType: 'application/a2a-agent-card+json', listed: true },
  'mcp-server-card': {
    relation: 'mcp-server-card',
    mediaType: 'application/mcp-server-card+json',
    listed: true,
  },
  'mcp-endpoint': { relation: 'mcp', catalogued: 'item' },
  'agent-skills-index': { relation: 'agent-skills', mediaType: 'application/json', listed: true },
  'ai-catalog': { relation: 'ard', mediaType: 'application/json', robots: 'Agentmap' },
  'rsl-license': { relation: 'license', mediaType: 'application/rsl+xml', robots: 'License' },
  'nlweb-schemamap': { robots: 'Schemamap' },
  sitemap: { robots: 'Sitemap' },
}

export function publicationOf(kind: PublishedKind): Publication {
  return PUBLICATIONS[kind]
}
