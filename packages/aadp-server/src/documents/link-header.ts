import type { RouteTable } from '../routes/route-table.js'

/** How each published description is announced: relation and media type. */
const LINKS = [
  ['manifest', 'service-meta', 'application/json'],
  ['apiCatalog', 'api-catalog', 'application/linkset+json'],
  ['openapi', 'service-desc', 'application/openapi+json'],
  ['llmsTxt', 'describedby', 'text/markdown'],
] as const

/** Value of a `Link` field (RFC 8288) that leads from any page of the site to what is published for agents. */
export function buildLinkHeader(routes: RouteTable): string {
  return LINKS.filter(([name]) => routes.has(name))
    .map(([name, relation, mediaType]) => `<${routes.url(name)}>; rel="${relation}"; type="${mediaType}"`)
    .join(', ')
}
