import type {
  EntityV0_1,
  ManifestV0_1,
  SitemapIndexV0_1,
  SitemapItemV0_1,
  SitemapV0_1,
} from '@doorplate/aadp-schemas'
import type { ClientOptions } from './options/client-options.js'
import * as documents from './reading/fetch-document.js'
import { iterateSitemapItems, type IterateSitemapOptions } from './reading/iterate-sitemap.js'
import type { WalkOptions } from './run/run.js'
import { walkEntities, type EntityWalk } from './walk-entities.js'
import { WIRE_V0_1 } from './documents/wire.js'

/**
 * The manifest of the application at a URL, of which only the origin counts: of the right version and shape, free of
 * semantic errors and no larger than 256 KiB.
 */
export function discover(origin: string, options: ClientOptions = {}): Promise<ManifestV0_1> {
  return documents.fetchManifest(WIRE_V0_1, origin, options)
}

/** A sitemap index with a matching checksum. */
export function fetchSitemapIndex(url: string, options: ClientOptions = {}): Promise<SitemapIndexV0_1> {
  return documents.fetchSitemapIndex(WIRE_V0_1, url, options)
}

/** One page of a sitemap with a matching checksum and ids of its type; the first page without a cursor. */
export function fetchSitemap(
  url: string,
  cursor?: string | null,
  options: ClientOptions = {},
): Promise<SitemapV0_1> {
  return documents.fetchSitemap(WIRE_V0_1, url, cursor, options)
}

/** An entity with a matching checksum and an id of its type. The type argument is taken at its word. */
export async function fetchEntity<Data = Record<string, unknown>>(
  url: string,
  options: ClientOptions = {},
): Promise<EntityV0_1<Data>> {
  return (await documents.fetchEntity(WIRE_V0_1, url, options)) as EntityV0_1<Data>
}

/** The items of all pages of a sitemap in their order, each id once. */
export function iterateSitemap(
  url: string,
  options: IterateSitemapOptions = {},
): AsyncGenerator<SitemapItemV0_1, void, undefined> {
  return iterateSitemapItems(WIRE_V0_1, url, options)
}

/**
 * Every entity of an application, checked against the lists that name it. Starts with the first `next()`. The type argument is taken
 * at its word.
 */
export function discoverAllEntities<Data = Record<string, unknown>>(
  origin: string,
  options: WalkOptions = {},
): EntityWalk<EntityV0_1<Data>> {
  return walkEntities(WIRE_V0_1, origin, options) as EntityWalk<EntityV0_1<Data>>
}
