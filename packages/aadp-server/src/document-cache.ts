import { ByteLruCache } from './byte-lru-cache.js'
import type { PublishedDocument } from './published-document.js'

const OVERHEAD_BYTES = 1024

/** Whole documents for a short time, in which the application is not asked again. */
export interface DocumentCache {
  through(
    key: string,
    publish: () => Promise<PublishedDocument>,
  ): PublishedDocument | Promise<PublishedDocument>
}

export function createDocumentCache(maxAgeMs: number, maxBytes: number, now: () => number): DocumentCache {
  const documents = new ByteLruCache<{ readonly document: PublishedDocument; readonly expiresMs: number }>(
    maxBytes,
  )
  return {
    through(key, publish) {
      const known = documents.get(key)
      if (known !== undefined && now() < known.expiresMs) return known.document
      return publish().then((document) => {
        const bytes = OVERHEAD_BYTES + (document.full.body?.length ?? 0)
        documents.set(key, { document, expiresMs: now() + maxAgeMs }, bytes)
        return document
      })
    },
  }
}
