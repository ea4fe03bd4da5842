export {
  addSignalsToResponses,
  type NodeRequest,
  type NodeResponse,
} from './publish/add-signals-to-responses.js'
export type { SignalsToAdd } from './publish/amend-response.js'
export {
  describeSite,
  type PublishedResource,
  type SiteDescription,
  type SiteDocument,
  type SiteSignals,
} from './publish/describe-site.js'
export { withSiteSignals, type FetchHandler } from './publish/with-site-signals.js'
