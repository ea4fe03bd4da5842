export type {
  EntityV0_1,
  ManifestV0_1,
  SitemapIndexV0_1,
  SitemapItemV0_1,
  SitemapV0_1,
} from '@doorplate/aadp-schemas'
export {
  discover,
  discoverAllEntities,
  fetchEntity,
  fetchSitemap,
  fetchSitemapIndex,
  iterateSitemap,
} from './client-v0.1.js'
