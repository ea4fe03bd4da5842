import type { EntityV1 } from '@doorplate/aadp-schemas'

/** A document that lists, as it was received, with what makes a request for it conditional. */
export interface StoredDocument {
  readonly url: string
  readonly text: string
  readonly etag?: string
  readonly lastModified?: string
}

/** An entity of the mirror, and the state in which the site listed it. */
export interface StoredEntity {
  readonly entity: EntityV1
  readonly version: EntityVersion
}

/** What a sitemap says about the state of an entity. */
export interface EntityVersion {
  readonly checksum: string
  readonly updatedAt: string
}

/** A committed change that the consumer may not have dealt with yet. */
export interface PendingChange {
  readonly kind: 'created' | 'updated' | 'deleted'
  readonly id: string
}

/** Everything that changes at once. */
export interface StoreBatch {
  readonly putDocuments?: readonly StoredDocument[]
  readonly deleteDocuments?: readonly string[]
  readonly putEntities?: readonly StoredEntity[]
  readonly deleteEntities?: readonly string[]
  /** Replaces the pending changes. */
  readonly pending: readonly PendingChange[]
}

type Awaitable<T> = T | Promise<T>

/**
 * Where a mirror is kept. Each method is about one site, named by its origin. A store keeps several sites apart, and is used
 * by one sync of a site at a time.
 */
export interface SyncStore {
  readDocument(site: string, url: string): Awaitable<StoredDocument | undefined>
  readEntity(site: string, id: string): Awaitable<EntityV1 | undefined>
  /** The states of those of the entities that the mirror holds. */
  readVersions(site: string, ids: readonly string[]): Awaitable<ReadonlyMap<string, EntityVersion>>
  readPending(site: string): Awaitable<readonly PendingChange[]>
  listDocuments(site: string): Awaitable<Iterable<string>>
  listEntities(site: string): Awaitable<Iterable<string>>
  /** All or nothing, also when the process is killed at any point. */
  commit(site: string, batch: StoreBatch): Awaitable<void>
}
