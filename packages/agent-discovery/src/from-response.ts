export { fromResponse, type ResponseDiscovery } from './response/from-response.js'
export type { ForeignClaim, ResponseSignals } from './response/read-response.js'
