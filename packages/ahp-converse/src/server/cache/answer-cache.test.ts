import { parseRequest } from '@doorplate/ahp-manifest/messages'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Turn } from '../../turn.js'
import { createAnswerCache, type AnswerCache, type AnswerCacheOptions } from './answer-cache.js'
import { answerKey, questionKey } from './answer-key.js'

const AGREED = { contentType: 'text/answer' }
const MAX_TOKENS = 1024

function keyOf(change: object = {}, agreed: Parameters<typeof questionKey>[1] = AGREED): string | undefined {
  const request = parseRequest({ capability: 'site_info', query: 'What do you sell?', ...change })
  return questionKey(request, agreed, MAX_TOKENS)
}

describe('questionKey', () => {
  it('looks, with answerKey, at every member of a turn that whoever answers can see', () => {
    expectTypeOf<keyof Turn>().toEqualTypeOf<
      | 'capability'
      | 'query'
      | 'input'
      | 'clarification'
      | 'contentType'
      | 'history'
      | 'sessionId'
      | 'locale'
      | 'maxTokens'
      | 'requestingAgent'
      | 'verifiedAgent'
      | 'userIntent'
      | 'principal'
      | 'idempotencyKey'
      | 'reportProgress'
      | 'signal'
    >()
  })

  it.each<[string, object]>([
    ['capability', { capability: 'site_search' }],
    ['query', { query: 'What do you sell' }],
    ['case of the query', { query: 'what do you sell?' }],
    ['locale', { context: { locale: 'de' } }],
    ['tokens', { context: { max_tokens: 1 } }],
    ['agent', { context: { requesting_agent: 'Bot' } }],
    ['intent', { context: { user_intent: 'to buy' } }],
  ])('differs by %s (H2)', (_name, change) => {
    expect(keyOf(change)).not.toBe(keyOf())
  })

  it('differs by the type that was agreed, and by what it is a fallback for (H2)', () => {
    const agreed = [AGREED, { contentType: 'application/data' }, { ...AGREED, fallbackFrom: 'media/image' }]
    expect(new Set(agreed.map((one) => keyOf({}, one))).size).toBe(3)
  })

  it('differs by the end of a long query (H2)', () => {
    const prefix = 'x'.repeat(4095)
    expect(keyOf({ query: `${prefix}a` })).not.toBe(keyOf({ query: `${prefix}b` }))
  })

  it('keeps members apart whatever is in them', () => {
    const one = keyOf({ context: { requesting_agent: 'a","b' } })
    expect(one).not.toBe(keyOf({ context: { requesting_agent: 'a', user_intent: 'b' } }))
  })

  it.each<[string, object]>([
    ['space in the query', { query: '  What do\n you sell? ' }],
    ['more tokens than an answer may have', { context: { max_tokens: 5000 } }],
    ['a version', { ahp: '0.1' }],
  ])('does not differ by %s', (_name, change) => {
    expect(keyOf(change)).toBe(keyOf())
  })

  it('reads one letter however it is composed', () => {
    expect(keyOf({ query: 'Caf\u00e9' })).toBe(keyOf({ query: 'Cafe\u0301' }))
  })

  it.each<[string, object]>([
    ['a session', { session_id: 's' }],
    ['a reply', { clarification: 'a' }],
  ])('is none for a request with %s (H1, C47)', (_name, change) => {
    expect(keyOf(change)).toBeUndefined()
  })
})

describe('answerKey', () => {
  it('differs by everything that shapes an answer besides the question', () => {
    const plain = { revision: undefined, input: undefined, verifiedAgent: undefined }
    const changes = [
      plain,
      { ...plain, revision: 1 },
      { ...plain, input: { a: 1 } },
      { ...plain, input: { a: 2 } },
      { ...plain, verifiedAgent: 'a' },
      { ...plain, input: { a: 1 }, verifiedAgent: 'a' },
    ]
    expect(new Set(changes.map((change) => answerKey('[]', change))).size).toBe(changes.length)
  })
})

interface Answer {
  readonly answer: string
}

function cacheWith(options: AnswerCacheOptions = {}): {
  readonly cache: AnswerCache<Answer>
  readonly advance: (ms: number) => void
} {
  let time = 1_000_000
  return {
    cache: createAnswerCache(options, { now: () => time }),
    advance: (ms) => {
      time += ms
    },
  }
}

describe('createAnswerCache', () => {
  it('gives what was set under the same key, for five minutes', async () => {
    const { cache, advance } = cacheWith()
    await cache.set('one', { answer: '1' })
    expect(await cache.get('two')).toBeUndefined()
    advance(299_999)
    expect(await cache.get('one')).toEqual({ answer: '1' })
    advance(1)
    expect(await cache.get('one')).toBeUndefined()
  })

  it('keeps so many bytes and no more: what was not asked for longest goes (H18)', async () => {
    const { cache } = cacheWith({ maxBytes: 10_000 })
    const answer = { answer: 'x'.repeat(1000) }
    for (const key of ['a', 'b', 'c', 'd']) await cache.set(key, answer)
    expect(await cache.get('a')).toBeDefined()
    await cache.set('e', answer)
    expect(await cache.get('b')).toBeUndefined()
    expect(await cache.get('a')).toBeDefined()
    await cache.set('large', { answer: 'x'.repeat(10_000) })
    expect(await cache.get('large')).toBeUndefined()
    expect(await cache.get('a')).toBeDefined()
  })

  it('keeps answers in a Keyv, under digests', async () => {
    const kept = new Map<string, string>()
    const { cache, advance } = cacheWith({
      ttlMs: 10,
      store: {
        get: (key) => Promise.resolve(kept.has(key) ? JSON.parse(kept.get(key) ?? '') : undefined),
        set: (key, value) => Promise.resolve(kept.set(key, JSON.stringify(value))),
      },
    })
    await cache.set('a private question', { answer: '1' })
    expect([...kept.keys()]).toEqual([expect.stringMatching(/^answer:[0-9a-f]{64}$/)])
    expect(await cache.get('a private question')).toEqual({ answer: '1' })
    advance(10)
    expect(await cache.get('a private question')).toBeUndefined()
  })

  it('goes on without a store that fails, and says so', async () => {
    const gone = new Error('gone')
    const fail = (): Promise<never> => Promise.reject(gone)
    const told: unknown[] = []
    const cache = createAnswerCache(
      { store: { get: fail, set: fail } },
      { now: () => 0, onStoreError: (error) => told.push(error) },
    )
    await cache.set('one', { answer: '1' })
    expect(await cache.get('one')).toBeUndefined()
    expect(told).toEqual([gone, gone])
  })

  it.each([
    ['cache', []],
    ['cache.ttl', { ttl: 1 }],
    ['cache.ttlMs', { ttlMs: 0 }],
    ['cache.maxBytes', { maxBytes: 1.5 }],
    ['cache.store', { store: {} }],
    ['cache.maxBytes', { maxBytes: 1, store: new Map() }],
  ])('refuses %s of %j', (option, options) => {
    expect(() => cacheWith(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }),
    )
  })
})
