import type { EntityV1 } from '@doorplate/aadp-schemas'
import type { EntityVersion, PendingChange, StoreBatch, StoredDocument, SyncStore } from './store.js'

/** What is used of a Keyv. */
export interface KeyvLike {
  get(key: string): Promise<unknown>
  /** `false` says that the value was not kept. */
  set(key: string, value: unknown): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** Entities are listed in so many parts, so that a commit rewrites little. */
const PARTS = 256

type Part = Record<string, EntityVersion>

interface SiteKeys {
  readonly journal: string
  readonly pending: string
  readonly documents: string
  document(url: string): string
  entity(id: string): string
  part(id: string): string
  readonly parts: readonly string[]
}

/**
 * A mirror in any Keyv store, which need know nothing of transactions: a commit is written down first, and done again when it
 * was cut short.
 */
export function createKeyvStore(keyv: KeyvLike): SyncStore {
  const recovered = new Map<string, Promise<SiteKeys>>()
  /** The keys of a site, after a commit that was cut short is finished. */
  const open = (site: string): Promise<SiteKeys> => {
    let opened = recovered.get(site)
    if (!opened) {
      opened = recover(keyv, keysOf(site))
      recovered.set(site, opened)
    }
    return opened
  }
  return {
    async readDocument(site, url) {
      return (await keyv.get((await open(site)).document(url))) as StoredDocument | undefined
    },
    async readEntity(site, id) {
      return (await keyv.get((await open(site)).entity(id))) as EntityV1 | undefined
    },
    async readVersions(site, ids) {
      const keys = await open(site)
      const parts = await readParts(keyv, new Set(ids.map((id) => keys.part(id))))
      return new Map(
        ids.flatMap((id) => {
          const version = ownMember(parts.get(keys.part(id)), id)
          return version ? [[id, version] as const] : []
        }),
      )
    },
    async readPending(site) {
      return ((await keyv.get((await open(site)).pending)) as readonly PendingChange[] | undefined) ?? []
    },
    async listDocuments(site) {
      return ((await keyv.get((await open(site)).documents)) as readonly string[] | undefined) ?? []
    },
    async listEntities(site) {
      const parts = await readParts(keyv, (await open(site)).parts)
      return [...parts.values()].flatMap((part) => Object.keys(part))
    },
    async commit(site, batch) {
      const keys = await open(site)
      try {
        await keep(keyv, keys.journal, batch)
        await apply(keyv, keys, batch)
      } catch (error) {
        recovered.delete(site)
        throw error
      }
    },
  }
}

async function recover(keyv: KeyvLike, keys: SiteKeys): Promise<SiteKeys> {
  const unfinished = (await keyv.get(keys.journal)) as StoreBatch | undefined
  if (unfinished) await apply(keyv, keys, unfinished)
  return keys
}

/** May be done any number of times. */
async function apply(keyv: KeyvLike, keys: SiteKeys, batch: StoreBatch): Promise<void> {
  const { putDocuments = [], deleteDocuments = [], putEntities = [], deleteEntities = [], pending } = batch
  const changedIds = [...putEntities.map(({ entity }) => entity.id), ...deleteEntities]
  const parts = await readParts(keyv, new Set(changedIds.map((id) => keys.part(id))))
  for (const id of deleteEntities) Reflect.deleteProperty(parts.get(keys.part(id)) ?? {}, id)
  for (const { entity, version } of putEntities) {
    const part = parts.get(keys.part(entity.id))
    if (part) part[entity.id] = version
  }
  const writes = [
    ...putEntities.map(({ entity }) => keep(keyv, keys.entity(entity.id), entity)),
    ...deleteEntities.map((id) => keyv.delete(keys.entity(id))),
    ...[...parts].map(([key, part]) => keep(keyv, key, part)),
    ...putDocuments.map((document) => keep(keyv, keys.document(document.url), document)),
    ...deleteDocuments.map((url) => keyv.delete(keys.document(url))),
    keep(keyv, keys.pending, pending),
  ]
  if (putDocuments.length > 0 || deleteDocuments.length > 0) {
    const urls = new Set((await keyv.get(keys.documents)) as readonly string[] | undefined)
    for (const url of deleteDocuments) urls.delete(url)
    for (const { url } of putDocuments) urls.add(url)
    writes.push(keep(keyv, keys.documents, [...urls]))
  }
  await Promise.all(writes)
  await keyv.delete(keys.journal)
}

/** A Keyv that is not told to throw says of a failure no more than this. */
async function keep(keyv: KeyvLike, key: string, value: unknown): Promise<void> {
  if ((await keyv.set(key, value)) === false) throw new Error(`The Keyv store did not keep ${key}`)
}

async function readParts(keyv: KeyvLike, keys: Iterable<string>): Promise<Map<string, Part>> {
  const read = async (key: string): Promise<[string, Part]> => [
    key,
    ((await keyv.get(key)) as Part | undefined) ?? {},
  ]
  return new Map(await Promise.all(Array.from(keys, read)))
}

function ownMember(part: Part | undefined, id: string): EntityVersion | undefined {
  return part && Object.hasOwn(part, id) ? part[id] : undefined
}

function keysOf(site: string): SiteKeys {
  const part = (index: number): string => `aadp|${site}|entities|${index}`
  return {
    journal: `aadp|${site}|journal`,
    pending: `aadp|${site}|pending`,
    documents: `aadp|${site}|documents`,
    document: (url) => `aadp|${site}|document|${url}`,
    entity: (id) => `aadp|${site}|entity|${id}`,
    part: (id) => part(partOf(id)),
    parts: Array.from({ length: PARTS }, (_, index) => part(index)),
  }
}

/** FNV-1a, folded to the number of parts. */
function partOf(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash >>> 0) % PARTS
}
