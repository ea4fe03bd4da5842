export { addLinkToResponses, type NodeResponse } from './publish/add-link-to-responses.js'
export {
  describeSite,
  type PublishedResource,
  type SiteDescription,
  type SiteSignals,
} from './publish/describe-site.js'
export { withLinkHeader, type FetchHandler } from './publish/with-link-header.js'
