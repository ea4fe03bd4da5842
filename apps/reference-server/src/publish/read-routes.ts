/** Addresses of this site's own for what can be read; the manifest alone has a fixed one. */
export const CUSTOM_ROUTES = {
  sitemapIndex: '/read/index.json',
  sitemap: '/read/pages/{type}.json',
  entity: '/read/items/{type}/{id}.json',
  openapi: '/read/openapi.json',
} as const

/** What the AADP server has when nothing is said. */
export const STANDARD_ROUTES = {
  sitemapIndex: '/ai/v1.0/sitemap-index.json',
  sitemap: '/ai/v1.0/sitemaps/{type}.json',
  entity: '/ai/v1.0/entities/{type}/{id}.json',
  openapi: '/ai/v1.0/openapi.json',
} as const
