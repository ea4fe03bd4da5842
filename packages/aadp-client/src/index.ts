export type {
  EntityV1,
  ManifestV1,
  SecuritySchemeV1,
  SitemapIndexV1,
  SitemapItemV1,
  SitemapV1,
} from '@doorplate/aadp-schemas'
export { createDiscoveryBudget } from './options/budget.js'
export type { DiscoveryBudget, DiscoveryBudgetState } from './options/budget.js'
export type { ClientOptions, CredentialProvider, RetryOptions } from './options/client-options.js'
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
export type { OnError, ReadIssue, WarningCode } from './run/issue-log.js'
export type { IterateSitemapOptions } from './reading/iterate-sitemap.js'
export type { RunSummary } from './run/run-summary.js'
export type { WalkOptions as DiscoverAllEntitiesOptions } from './run/run.js'
export type { FetchLike } from './transport/transport.js'
export type { EntityWalk } from './walk-entities.js'
export { createKeyvStore } from './stores/keyv-store.js'
export type { KeyvLike } from './stores/keyv-store.js'
export { createMemoryStore } from './stores/memory-store.js'
export type {
  EntityVersion,
  PendingChange,
  StoreBatch,
  StoredDocument,
  StoredEntity,
  SyncStore,
} from './stores/store.js'
export { syncEntities } from './sync/sync-entities.js'
export type { EntitySync, SyncEvent, SyncOptions, SyncSummary } from './sync/sync-entities.js'
export { createMemoryQueue } from './queues/memory-queue.js'
export type { OriginQueue, ProcessOptions } from './queues/origin-queue.js'
export { syncOrigins } from './sync/sync-origins.js'
export type { OriginEnd, SyncOriginsOptions } from './sync/sync-origins.js'
