import type { KeyvLike } from '@doorplate/ahp-converse/server'
import { LRUCache } from 'lru-cache'
import type { Inspection } from './inspection.js'

/** Keeps what was seen, for a while. */
export interface InspectionStore {
  get(id: string): Promise<Inspection | undefined>
  set(inspection: Inspection): Promise<void>
}

const KEPT_MS = 3_600_000
const MAX_INSPECTIONS = 200
const MAX_CHARACTERS = 16 * 1024 * 1024

/** In the memory of this process, as text: what was not looked at for longest goes first. */
export function createMemoryInspectionStore(): InspectionStore {
  const texts = new LRUCache<string, string>({
    max: MAX_INSPECTIONS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (text) => text.length,
    ttl: KEPT_MS,
  })
  return {
    get(id) {
      const text = texts.get(id)
      return Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as Inspection))
    },
    set(inspection) {
      texts.set(inspection.id, JSON.stringify(inspection))
      return Promise.resolve()
    },
  }
}

/** Where all processes of this site keep what they remember. */
export function createSharedInspectionStore(store: KeyvLike): InspectionStore {
  const keyOf = (id: string): string => `inspection:${id}`
  return {
    get: async (id) => (await store.get(keyOf(id))) as Inspection | undefined,
    async set(inspection) {
      await store.set(keyOf(inspection.id), inspection, KEPT_MS)
    },
  }
}
