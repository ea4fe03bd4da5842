export { agentNotice } from './discovery/agent-notice.js'
export type { AgentNoticeOptions } from './discovery/agent-notice.js'
export { addContentSignal, contentSignalLine } from './discovery/content-signal.js'
export { linkHeader } from './discovery/link-header.js'
export type { LinkHeaderOptions } from './discovery/link-header.js'
export { llmsTxt } from './discovery/llms-txt.js'
export type { LlmsTxtContent, LlmsTxtLink, LlmsTxtSection } from './discovery/llms-txt.js'
export { createManifestHandler } from './discovery/manifest-handler.js'
export type { ManifestHandler, ManifestHandlerOptions } from './discovery/manifest-handler.js'
export { negotiateManifest } from './discovery/negotiate-manifest.js'
export type { NegotiableRequest } from './discovery/negotiate-manifest.js'
export { MANIFEST_MEDIA_TYPE, MANIFEST_PATH } from './discovery/well-known.js'
export { withAhpDiscovery } from './discovery/with-ahp-discovery.js'
export type { AhpDiscoveryOptions } from './discovery/with-ahp-discovery.js'
export type {
  ActionType,
  AsyncSupport,
  Authentication,
  Capability,
  ContentSignals,
  Endpoints,
  Integration,
  Manifest,
  Mode,
  RateLimits,
  RateLimitTier,
} from './generated/manifest/manifest.js'
export { AHP_VERSION } from './kinds.js'
export type { AhpVersion } from './kinds.js'
export { AhpManifestError, isAhpManifestError } from './manifest/ahp-manifest-error.js'
export type { AhpManifestErrorCode, AhpManifestErrorOptions } from './manifest/ahp-manifest-error.js'
export { checkManifestSemantics } from './manifest/check-manifest-semantics.js'
export { defineManifest } from './manifest/define-manifest.js'
export type {
  ActingCapability,
  AnsweringCapability,
  DefineManifestOptions,
  ManifestInput,
} from './manifest/define-manifest.js'
export { identifyAgentJson } from './manifest/identify-agent-json.js'
export type { AgentJsonIdentity } from './manifest/identify-agent-json.js'
export { MODES } from './manifest/modes.js'
export { parseManifest } from './manifest/parse-manifest.js'
export type { ParsedManifest, ParseManifestOptions } from './manifest/parse-manifest.js'
export type { ReadManifest } from './manifest/read-tolerantly.js'
export { validateManifest } from './manifest/validate-manifest.js'
export type { ValidateManifestOptions } from './manifest/validate-manifest.js'
export { CAPABILITY_NAME_GRAMMAR, REGISTERED_TYPES, RESPONSE_TYPE_GRAMMAR } from './response-type.js'
export type { RegisteredType } from './response-type.js'
export type { ValidationIssue, ValidationResult } from './validation-issue.js'
