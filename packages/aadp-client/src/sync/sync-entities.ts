import type { EntityV1 } from '@doorplate/aadp-schemas'
import { checkMembers, checkRecord, type MemberNames } from '../options/check-option.js'
import { originUrl } from '../options/origin-url.js'
import { InvalidOptionError } from '../errors.js'
import { MirroredLists } from './mirrored-lists.js'
import { takeSite } from './one-sync-at-a-time.js'
import { Run, WALK_OPTIONS, type WalkOptions } from '../run/run.js'
import type { RunSummary } from '../run/run-summary.js'
import type { ListedItem } from '../run/site-listing.js'
import type { EntityVersion, StoreBatch, StoredEntity, SyncStore } from '../stores/store.js'
import { WIRE_V1 } from '../documents/wire.js'

export interface SyncOptions extends WalkOptions {
  /** Where the mirror is. */
  readonly store: SyncStore
}

export const SYNC_OPTIONS: MemberNames<SyncOptions> = { ...WALK_OPTIONS, store: true }

/**
 * What happened to the mirror. `replayed`: the change was committed by an earlier sync that did not end, so that its consumer may
 * have been told already.
 */
export type SyncEvent<Data = Record<string, unknown>> =
  | {
      readonly kind: 'created' | 'updated'
      readonly id: string
      readonly entity: EntityV1<Data>
      readonly replayed: boolean
    }
  | { readonly kind: 'deleted'; readonly id: string; readonly replayed: boolean }
  | { readonly kind: 'unchanged'; readonly count: number }

export interface SyncSummary extends RunSummary {
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
  /** Lists that had not changed since the last sync. */
  readonly notModified: number
}

/** The changes of a site since the last sync, each already in the mirror. Leaving the loop cancels what is in flight. */
export interface EntitySync<Data = Record<string, unknown>> extends AsyncIterableIterator<
  SyncEvent<Data>,
  SyncSummary,
  undefined
> {
  /** What was done so far; the iteration returns the same at its end. */
  readonly summary: SyncSummary
  return(): Promise<IteratorResult<SyncEvent<Data>, SyncSummary>>
}

/**
 * Brings a mirror of a site up to date and tells what changed. A change counts as told once the next event is asked for; one that
 * was committed but not told before a crash is told by the next sync. Nothing is deleted unless all lists were read.
 * While it has not ended, another of the same site into the same store fails with `sync_in_progress`.
 * The type argument is taken at its word.
 */
export function syncEntities<Data = Record<string, unknown>>(
  origin: string,
  options: SyncOptions,
): EntitySync<Data> {
  checkMembers(options, SYNC_OPTIONS)
  if (typeof checkRecord('store', options.store)['commit'] !== 'function') {
    throw new InvalidOptionError('store', 'a store')
  }
  const sync = new Sync(origin, options)
  const events = sync.events() as AsyncGenerator<SyncEvent<Data>, SyncSummary>
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => events.next(),
    async return() {
      await sync.stop()
      await events.return(sync.summary)
      return { done: true, value: sync.summary }
    },
    get summary() {
      return sync.summary
    },
  }
}

/** Changes are committed in batches of no more than this. */
const BATCH = 100

/** A listed entity that the mirror has in another state, or not at all. */
interface Moved {
  readonly listed: ListedItem
  readonly kind: 'created' | 'updated'
}

interface Change {
  readonly kind: 'created' | 'updated'
  readonly stored: StoredEntity
}

class Sync {
  readonly #store: SyncStore
  readonly #site: string
  readonly #types: readonly string[] | undefined
  readonly #signal: AbortSignal | undefined
  readonly #lists: MirroredLists
  readonly #run: Run<'1.0', Moved, Change>
  readonly #listed = new Set<string>()
  readonly #counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
  /** No replay and no commit was cut short: whatever ends the sync now, all that the store holds was told. */
  #mayClose = false

  constructor(origin: string, { store, ...options }: SyncOptions) {
    this.#store = store
    this.#site = originUrl(origin).origin
    this.#types = options.types
    this.#signal = options.signal
    this.#lists = new MirroredLists(store, this.#site)
    this.#run = new Run<'1.0', Moved, Change>(WIRE_V1, origin, options, {
      source: (reader) => this.#lists.source(reader),
      select: (listed) => this.#select(listed),
      listed: ({ listed }) => listed,
      result: ({ listed, kind }, entity) => ({ kind, stored: { entity, version: versionOf(listed) } }),
    })
  }

  get summary(): SyncSummary {
    return { ...this.#run.summary, ...this.#counts, notModified: this.#lists.notModified }
  }

  /** Cancels what is in flight, also for a call of `next` that waits for it. */
  async stop(): Promise<void> {
    await this.#run.results.return()
  }

  async *events(): AsyncGenerator<SyncEvent, SyncSummary, undefined> {
    const giveBack = takeSite(this.#store, this.#site)
    try {
      yield* this.#replay()
      yield* this.#changes()
      const { partial } = this.#run.summary
      const listsAreWhole = (partial === undefined || partial === 'errors') && this.#run.log.listErrors === 0
      if (listsAreWhole) yield* this.#deletions()
      await this.#close(listsAreWhole)
    } catch (error) {
      await this.#closeAfterFailure()
      throw error
    } finally {
      await this.stop()
      giveBack()
    }
    if (this.summary.partial !== 'stopped') yield { kind: 'unchanged', count: this.#counts.unchanged }
    return this.summary
  }

  /** What an earlier sync committed without its consumer asking for more; after an abort the rest is left to the next sync. */
  async *#replay(): AsyncGenerator<SyncEvent, void> {
    for (const { kind, id } of await this.#store.readPending(this.#site)) {
      if (this.#signal?.aborted) return
      if (kind === 'deleted') yield { kind, id, replayed: true }
      else {
        const entity = await this.#store.readEntity(this.#site, id)
        if (entity) yield { kind, id, entity, replayed: true }
      }
    }
    this.#mayClose = true
  }

  /** The order does not matter for a crash: what is not in the mirror is found missing again, page unchanged or not. */
  async *#changes(): AsyncGenerator<SyncEvent, void> {
    const { results } = this.#run
    for (let next = await results.next(); next.done !== true; next = await results.next()) {
      const batch = [next.value, ...results.takeReady(BATCH - 1)]
      await this.#commit({
        putEntities: batch.map(({ stored }) => stored),
        pending: batch.map(({ kind, stored }) => ({ kind, id: stored.entity.id })),
      })
      for (const { kind, stored } of batch) {
        this.#counts[kind]++
        yield { kind, id: stored.entity.id, entity: stored.entity, replayed: false }
      }
    }
  }

  async *#deletions(): AsyncGenerator<SyncEvent, void> {
    const gone = Array.from(await this.#store.listEntities(this.#site)).filter((id) => this.#isGone(id))
    for (let start = 0; start < gone.length; start += BATCH) {
      this.#signal?.throwIfAborted()
      const ids = gone.slice(start, start + BATCH)
      await this.#commit({ deleteEntities: ids, pending: ids.map((id) => ({ kind: 'deleted', id })) })
      for (const id of ids) {
        this.#counts.deleted++
        yield { kind: 'deleted', id, replayed: false }
      }
    }
  }

  #isGone(id: string): boolean {
    return !this.#listed.has(id) && (this.#types?.includes(id.slice(0, id.indexOf(':'))) ?? true)
  }

  async #select(listed: readonly ListedItem[]): Promise<readonly Moved[]> {
    const ids = listed.map(({ item }) => item.id)
    const versions = await this.#store.readVersions(this.#site, ids)
    const moved: Moved[] = []
    for (const one of listed) {
      const { id, checksum, updated_at: updatedAt } = one.item
      const known = versions.get(id)
      this.#listed.add(id)
      if (known?.checksum === checksum && known.updatedAt === updatedAt) this.#counts.unchanged++
      else moved.push({ listed: one, kind: known ? 'updated' : 'created' })
    }
    return moved
  }

  /** A commit that failed may still have been written down, and be done by the store later. */
  async #commit(batch: StoreBatch): Promise<void> {
    this.#mayClose = false
    await this.#store.commit(this.#site, { putDocuments: this.#lists.takeChanged(), ...batch })
    this.#mayClose = true
  }

  /** What ended the sync is told, whatever the store says; without this the next sync tells some changes again. */
  async #closeAfterFailure(): Promise<void> {
    if (this.#mayClose) await this.#close(false).catch(() => undefined)
  }

  /** Everything was told. After an unusable list no list is kept: a cursor in another one may have led to it. */
  async #close(listsAreWhole: boolean): Promise<void> {
    const isBroken = this.#run.log.listErrors > 0
    if (isBroken) this.#lists.takeChanged()
    const urls = Array.from(await this.#store.listDocuments(this.#site))
    const sawAll = listsAreWhole && this.#types === undefined
    const isStale = (url: string): boolean => isBroken || (sawAll && !this.#lists.hasVisited(url))
    await this.#commit({ pending: [], deleteDocuments: urls.filter(isStale) })
  }
}

function versionOf({ item }: ListedItem): EntityVersion {
  return { checksum: item.checksum, updatedAt: item.updated_at }
}
