import { LRUCache } from 'lru-cache'
import { invalidOption } from '../../converse-error.js'
import type { Awaitable } from '../awaitable.js'
import type { KeyvLike } from '../keyv-like.js'
import { checkMembers, storeOption, wholeOption } from '../state-options.js'
import { digestOf } from './digest-of.js'

/** How answers are kept for the next who asks the same. */
export interface AnswerCacheOptions {
  /** What answers and their keys may take in memory, estimated. Default: 16,777,216 (16 MB). */
  readonly maxBytes?: number
  /** How long an answer is good. Default: 300,000 (5 minutes). */
  readonly ttlMs?: number
  /** A Keyv, for answers that outlive the process or are shared. It sees digests of questions, and answers. Default: memory. */
  readonly store?: KeyvLike
}

/** Answers by the key of `answerKey`. `Answer` is JSON, and is not changed by whoever gets it. */
export interface AnswerCache<Answer> {
  get(key: string): Awaitable<Answer | undefined>
  set(key: string, answer: Answer): Awaitable<void>
}

export interface AnswerCacheContext {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Told when the store fails. The answer then counts as not kept. */
  readonly onStoreError?: (error: unknown) => void
}

interface Kept<Answer> {
  readonly answer: Answer
  readonly expiresAt: number
}

const MEMBERS: readonly (keyof AnswerCacheOptions)[] = ['maxBytes', 'ttlMs', 'store']
const OVERHEAD_BYTES = 256
const BYTES_PER_CHARACTER = 2

/** Throws `invalid_option`. */
export function createAnswerCache<Answer extends object>(
  options: AnswerCacheOptions,
  context: AnswerCacheContext,
): AnswerCache<Answer> {
  checkMembers('cache', options, MEMBERS)
  const maxBytes = wholeOption('cache.maxBytes', options.maxBytes, 16_777_216)
  const ttlMs = wholeOption('cache.ttlMs', options.ttlMs, 300_000)
  const store = storeOption('cache.store', options.store, ['get', 'set'])
  if (store === undefined) return createMemoryCache(maxBytes, ttlMs, context)
  if (options.maxBytes !== undefined)
    throw invalidOption('cache.maxBytes', 'is for the memory, not for a store')
  return createStoredCache(store, ttlMs, context)
}

function createMemoryCache<Answer extends object>(
  maxBytes: number,
  ttlMs: number,
  { now }: AnswerCacheContext,
): AnswerCache<Answer> {
  const answers = new LRUCache<string, Kept<Answer>>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer }, key) =>
      (key.length + JSON.stringify(answer).length) * BYTES_PER_CHARACTER + OVERHEAD_BYTES,
  })
  return {
    get(key) {
      const kept = answers.get(key)
      return kept === undefined || kept.expiresAt <= now() ? undefined : kept.answer
    },
    set(key, answer) {
      answers.set(key, { answer, expiresAt: now() + ttlMs })
    },
  }
}

function createStoredCache<Answer extends object>(
  store: KeyvLike,
  ttlMs: number,
  { now, onStoreError }: AnswerCacheContext,
): AnswerCache<Answer> {
  return {
    async get(key) {
      try {
        const kept = (await store.get(`answer:${await digestOf(key)}`)) as Kept<Answer> | undefined
        return kept === undefined || kept.expiresAt <= now() ? undefined : kept.answer
      } catch (error) {
        onStoreError?.(error)
        return undefined
      }
    },
    async set(key, answer) {
      try {
        await store.set(
          `answer:${await digestOf(key)}`,
          { answer, expiresAt: now() + ttlMs } satisfies Kept<Answer>,
          ttlMs,
        )
      } catch (error) {
        onStoreError?.(error)
      }
    },
  }
}
