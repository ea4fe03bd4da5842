import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Turn } from '../../turn.js'
import { createAnswerCache, type AnswerCache, type AnswerCacheOptions } from './answer-cache.js'
import { answerKey } from './answer-key.js'

type Asked = Parameters<typeof answerKey>[0]

const TURN: Asked = {
  capability: 'site_info',
  query: 'What do you sell?',
  contentType: 'text/answer',
  history: [],
  maxTokens: 1024,
}

describe('answerKey', () => {
  it('looks at every member of a turn that whoever answers can see', () => {
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

  it.each<[string, Partial<Asked>]>([
    ['capability', { capability: 'site_search' }],
    ['query', { query: 'What do you sell' }],
    ['case of the query', { query: 'what do you sell?' }],
    ['input', { input: { query: 'What do you sell?' } }],
    ['type', { contentType: 'application/data' }],
    ['locale', { locale: 'de' }],
    ['tokens', { maxTokens: 1 }],
    ['agent', { requestingAgent: 'Bot' }],
    ['intent', { userIntent: 'to buy' }],
  ])('differs by %s (H2)', (_name, change) => {
    expect(answerKey({ ...TURN, ...change })).not.toBe(answerKey(TURN))
  })

  it('differs by the end of a long query (H2)', () => {
    const prefix = 'x'.repeat(4095)
    expect(answerKey({ ...TURN, query: `${prefix}a` })).not.toBe(answerKey({ ...TURN, query: `${prefix}b` }))
  })

  it('keeps members apart whatever is in them', () => {
    const one = answerKey({ ...TURN, locale: 'a","b' })
    expect(one).not.toBe(answerKey({ ...TURN, locale: 'a', requestingAgent: 'b' }))
  })

  it.each<[string, Partial<Asked>]>([
    ['space', { query: '  What do\n you sell? ' }],
    ['the spelling of a letter', { query: 'What do you sell?' }],
  ])('does not differ by %s of the query', (_name, change) => {
    expect(answerKey({ ...TURN, ...change })).toBe(answerKey(TURN))
  })

  it('reads one letter however it is composed', () => {
    expect(answerKey({ ...TURN, query: 'Caf\u00e9' })).toBe(answerKey({ ...TURN, query: 'Cafe\u0301' }))
  })

  it.each<[string, Partial<Asked>]>([
    ['history', { history: [{ capability: 'c', query: 'SECRET-ALPHA', answer: 'a', sources: [] }] }],
    ['a reply', { clarification: { question: 'Which?', options: [], reply: 'a' } }],
    ['a principal', { principal: { id: 'p' } }],
    ['an effect', { idempotencyKey: 'k' }],
  ])('is none for a turn with %s (H1, C47)', (_name, change) => {
    expect(answerKey({ ...TURN, ...change })).toBeUndefined()
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
