export {
  discover,
  type DiscoverOptions,
  type DiscoveryResult,
  type DiscoverySignals,
  type PageReport,
} from './discover.js'
export {
  AgentDiscoveryError,
  isAgentDiscoveryError,
  type AgentDiscoveryErrorCode,
  type AgentDiscoveryErrorDetails,
} from './errors.js'
export {
  fromResponse,
  type ForeignClaim,
  type ResponseDiscovery,
  type ResponseSignals,
} from './from-response.js'
export type { Kind } from './kind.js'
export type { BudgetReport, StopReason } from './probe/budget.js'
export {
  SOURCE_NAMES,
  type Evidence,
  type Resource,
  type ResourceState,
  type Source,
  type SourceName,
} from './resource.js'
export { toAgentResources, type AgentResource } from './output/agent-resources.js'
export { toLinkset } from './output/linkset.js'
export { toMarkdownSection } from './output/markdown-section.js'
export {
  readPage,
  type MarkdownSource,
  type ReadPageOptions,
  type ReadPageResult,
  type RejectedMarkdown,
} from './read-page.js'
