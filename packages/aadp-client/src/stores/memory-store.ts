import type { PendingChange, StoredDocument, StoredEntity, SyncStore } from './store.js'

interface Mirror {
  readonly documents: Map<string, StoredDocument>
  readonly entities: Map<string, StoredEntity>
  pending: readonly PendingChange[]
}

/** A mirror in memory: for tests, and for processes that live long. */
export function createMemoryStore(): SyncStore {
  const mirrors = new Map<string, Mirror>()
  const mirrorOf = (site: string): Mirror => {
    let mirror = mirrors.get(site)
    if (!mirror) {
      mirror = { documents: new Map(), entities: new Map(), pending: [] }
      mirrors.set(site, mirror)
    }
    return mirror
  }
  return {
    readDocument: (site, url) => mirrorOf(site).documents.get(url),
    readEntity: (site, id) => mirrorOf(site).entities.get(id)?.entity,
    readVersions(site, ids) {
      const { entities } = mirrorOf(site)
      return new Map(
        ids.flatMap((id) => {
          const stored = entities.get(id)
          return stored ? [[id, stored.version] as const] : []
        }),
      )
    },
    readPending: (site) => mirrorOf(site).pending,
    listDocuments: (site) => [...mirrorOf(site).documents.keys()],
    listEntities: (site) => [...mirrorOf(site).entities.keys()],
    commit(site, { putDocuments, deleteDocuments, putEntities, deleteEntities, pending }) {
      const mirror = mirrorOf(site)
      for (const url of deleteDocuments ?? []) mirror.documents.delete(url)
      for (const document of putDocuments ?? []) mirror.documents.set(document.url, document)
      for (const id of deleteEntities ?? []) mirror.entities.delete(id)
      for (const stored of putEntities ?? []) mirror.entities.set(stored.entity.id, stored)
      mirror.pending = pending
    },
  }
}
