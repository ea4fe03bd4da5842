export {
  discover,
  discoverAllEntities,
  fetchEntity,
  fetchSitemap,
  fetchSitemapIndex,
  iterateSitemap,
} from './client-v0.1.js'
