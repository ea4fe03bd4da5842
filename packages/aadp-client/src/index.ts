export type {
  EntityV1,
  ManifestV1,
  SecuritySchemeV1,
  SitemapIndexV1,
  SitemapItemV1,
  SitemapV1,
} from '@doorplate/aadp-schemas'
export { createDiscoveryBudget } from './budget.js'
export type { DiscoveryBudget, DiscoveryBudgetState } from './budget.js'
export type { ClientOptions, CredentialProvider, RetryOptions } from './client-options.js'
export {
  discover,
  discoverAllEntities,
  fetchEntity,
  fetchSitemap,
  fetchSitemapIndex,
  iterateSitemap,
} from './client-v1.0.js'
export {
  AadpChecksumMismatchError,
  AadpClientError,
  AadpDiscoveryBudgetExceededError,
  AadpIntegrityMismatchError,
  AadpRequestError,
  AadpSchemaValidationError,
  AadpSemanticValidationError,
  AadpTransportError,
  InvalidOptionError,
  isAadpClientError,
  UnsupportedAadpVersionError,
} from './errors.js'
export type { AadpClientErrorCode, AadpErrorEnvelope, BudgetLimit, TransportErrorCode } from './errors.js'
export type { OnError, ReadIssue, WarningCode } from './issue-log.js'
export type { IterateSitemapOptions } from './iterate-sitemap.js'
export type { RunSummary } from './run-summary.js'
export type { WalkOptions as DiscoverAllEntitiesOptions } from './run.js'
export type { FetchLike } from './transport.js'
export type { EntityWalk } from './walk-entities.js'
export { createKeyvStore } from './keyv-store.js'
export type { KeyvLike } from './keyv-store.js'
export { createMemoryStore } from './memory-store.js'
export type {
  EntityVersion,
  PendingChange,
  StoreBatch,
  StoredDocument,
  StoredEntity,
  SyncStore,
} from './store.js'
export { syncEntities } from './sync-entities.js'
export type { EntitySync, SyncEvent, SyncOptions, SyncSummary } from './sync-entities.js'
export { createMemoryQueue } from './memory-queue.js'
export type { OriginQueue, ProcessOptions } from './origin-queue.js'
export { syncOrigins } from './sync-origins.js'
export type { OriginEnd, SyncOriginsOptions } from './sync-origins.js'
