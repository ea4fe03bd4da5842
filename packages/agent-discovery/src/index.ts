export {
  discover,
  type DiscoveryResult,
  type DiscoverySignals,
  type PageReport,
} from './discover/discover.js'
export type { DiscoverOptions } from './discover/start-discovery.js'
export {
  AgentDiscoveryError,
  isAgentDiscoveryError,
  type AgentDiscoveryErrorCode,
  type AgentDiscoveryErrorDetails,
} from './errors.js'
export { fromResponse, type ResponseDiscovery } from './response/from-response.js'
export type { ForeignClaim, ResponseSignals } from './response/read-response.js'
export type { Kind } from './resources/kind.js'
export type { BudgetReport, StopReason } from './probe/budget.js'
export {
  SOURCE_NAMES,
  type Evidence,
  type Resource,
  type ResourceState,
  type Source,
  type SourceName,
} from './resources/resource.js'
export { toAgentResources, type AgentResource } from './output/agent-resources.js'
export { toLinkset } from './output/linkset.js'
export { toMarkdownSection } from './output/markdown-section.js'
export {
  readPage,
  type MarkdownSource,
  type ReadPageOptions,
  type ReadPageResult,
  type RejectedMarkdown,
} from './discover/read-page.js'
