import { ByteLruCache } from './byte-lru-cache.js'
import type { MaybePromise } from '../upstream/maybe-promise.js'
import type { PublishedDocument } from './published-document.js'
import type { RequestContext } from '../upstream/request-context.js'
import { SharedCall } from '../upstream/shared-call.js'

const OVERHEAD_BYTES = 1024

/** Whole documents for a short time, in which the application is not asked again. */
export interface DocumentCache {
  /** The document of a key; those who ask while it is being made get the same one. What fails is not kept. */
  through(
    key: string,
    context: RequestContext,
    publish: (context: RequestContext) => MaybePromise<PublishedDocument>,
  ): MaybePromise<PublishedDocument>
}

export function createDocumentCache(maxAgeMs: number, maxBytes: number, now: () => number): DocumentCache {
  const documents = new ByteLruCache<{ readonly document: PublishedDocument; readonly madeMs: number }>(
    maxBytes,
  )
  const calls = new Map<string, SharedCall<PublishedDocument>>()

  function keep(key: string, document: PublishedDocument): PublishedDocument {
    const bytes = OVERHEAD_BYTES + key.length + (document.full.body?.length ?? 0)
    documents.set(key, { document, madeMs: now() }, bytes)
    return document
  }

  /** A clock that was set back says nothing about the age of what was made before. */
  function isFresh(madeMs: number): boolean {
    const ageMs = now() - madeMs
    return ageMs >= 0 && ageMs < maxAgeMs
  }

  function share(
    key: string,
    result: Promise<PublishedDocument>,
    abort: AbortController,
  ): SharedCall<PublishedDocument> {
    const call = new SharedCall(result, abort)
    /** False for a call that was given up and has a successor: what it gives may be older. */
    const end = (): boolean => calls.get(key) === call && calls.delete(key)
    calls.set(key, call)
    result.then((document) => {
      if (end()) keep(key, document)
    }, end)
    return call
  }

  return {
    through(key, context, publish) {
      const known = documents.get(key)
      if (known !== undefined && isFresh(known.madeMs)) return known.document
      const running = calls.get(key)
      if (running !== undefined && !running.isAbandoned) return running.join(context.signal)
      const abort = new AbortController()
      const result = publish(context.shared(abort.signal))
      if (!(result instanceof Promise)) return keep(key, result)
      return share(key, result, abort).join(context.signal)
    },
  }
}
