export {
  addSignalsToResponses,
  type NodeRequest,
  type NodeResponse,
} from './publish/add-signals-to-responses.js'
export type { SignalsToAdd } from './publish/amend-response.js'
export { describeSite } from './publish/describe-site.js'
export type { PublishedKind } from './publish/publication.js'
export type {
  PublishedResource,
  SiteDescription,
  SiteDocument,
  SiteSignals,
} from './publish/site-description.js'
export { withSiteSignals, type FetchHandler } from './publish/with-site-signals.js'
