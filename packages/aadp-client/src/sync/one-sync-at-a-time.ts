import { AadpClientError } from '../errors.js'
import type { SyncStore } from '../stores/store.js'

/** The sites that are being synced in this process, by store. */
const sitesOf = new WeakMap<SyncStore, Set<string>>()

/**
 * Takes a site of a store for one sync, and gives what ends that. Two at once would each take the other's work for changes, and
 * report deletions that are none. Throws `sync_in_progress`. Another process is not seen.
 */
export function takeSite(store: SyncStore, site: string): () => void {
  const sites = sitesOf.get(store) ?? new Set()
  sitesOf.set(store, sites)
  if (sites.has(site)) {
    const message = `A sync of ${site} into this store has not ended: wait for its end, or call its return()`
    throw new AadpClientError('sync_in_progress', message, { url: site })
  }
  sites.add(site)
  return () => sites.delete(site)
}
