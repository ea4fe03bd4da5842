import type { AadpVersion } from '@doorplate/aadp-schemas'
import { resolveClientOptions, type ClientOptions } from '../options/client-options.js'
import { originUrl } from '../options/origin-url.js'
import { httpUrl } from '../documents/http-url.js'
import { Reader } from './reader.js'
import { nextCursor, pageUrl, requireNamespace } from '../documents/sitemap-rules.js'
import type { DocumentTypes, Wire } from '../documents/wire.js'

/** Where the manifest of the application at a URL is; path and query of the URL do not count. Throws `invalid_option`. */
export function manifestUrl(origin: string): string {
  return new URL('/.well-known/ai-manifest.json', originUrl(origin)).href
}

export async function fetchManifest<V extends AadpVersion>(
  wire: Wire<V>,
  origin: string,
  options: ClientOptions,
): Promise<DocumentTypes[V]['manifest']> {
  const url = manifestUrl(origin)
  return createReader(wire, url, options).document('manifest', url)
}

export async function fetchSitemapIndex<V extends AadpVersion>(
  wire: Wire<V>,
  url: string,
  options: ClientOptions,
): Promise<DocumentTypes[V]['sitemap-index']> {
  return createReader(wire, url, options).document('sitemap-index', url)
}

export async function fetchSitemap<V extends AadpVersion>(
  wire: Wire<V>,
  sitemapUrl: string,
  cursor: string | null | undefined,
  options: ClientOptions,
): Promise<DocumentTypes[V]['sitemap']> {
  const reader = createReader(wire, sitemapUrl, options)
  const url = pageUrl(httpUrl(sitemapUrl).href, cursor)
  reader.budget.chargePage()
  const page = await reader.document('sitemap', url)
  for (const { id } of page.items) requireNamespace(id, page.type, url)
  nextCursor(page, url)
  return page
}

export async function fetchEntity<V extends AadpVersion>(
  wire: Wire<V>,
  url: string,
  options: ClientOptions,
): Promise<DocumentTypes[V]['entity']> {
  const reader = createReader(wire, url, options)
  reader.budget.chargeEntity()
  const entity = await reader.document('entity', url)
  requireNamespace(entity.id, entity.type, url)
  return entity
}

function createReader<V extends AadpVersion>(wire: Wire<V>, url: string, options: ClientOptions): Reader<V> {
  return new Reader(wire, url, resolveClientOptions(options))
}
