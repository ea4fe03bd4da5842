import { hasRedis, type RedisServer, startRedis } from '@internal/loopback'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisState } from '../../src/redis.js'
import type { StoredSession } from '../../src/server.js'

const SESSION: StoredSession = { owner: 'address a', version: 1, history: [], tokensUsed: 0, expiresAt: 1 }
const WRITE = { expectedVersion: 0, ttlMs: 60_000 }

let redis: RedisServer
let client: Redis

describe.skipIf(!hasRedis)(`state in Redis${hasRedis ? '' : ' (skipped: no redis-server here)'}`, () => {
  beforeAll(async () => {
    redis = await startRedis()
    client = new Redis(redis.port, { autoResendUnfulfilledCommands: false })
  })
  afterAll(async () => {
    client.disconnect()
    await redis[Symbol.asyncDispose]()
  })

  it('gives a version of a session to one of those that write it at once', async () => {
    const { sessions } = createRedisState(client)
    const written = await Promise.all([1, 2, 3].map(async () => sessions.write('once', SESSION, WRITE)))
    expect(written.toSorted()).toEqual([false, false, true])
    expect(await sessions.read('once')).toEqual(SESSION)
    expect(await sessions.read('never')).toBeUndefined()
  })

  it('ends by itself', async () => {
    const { sessions, cache, limits } = createRedisState(client, { prefix: 'short' })
    await sessions.write('one', SESSION, WRITE)
    await cache.set('answer:one', { answer: 1 }, 60_000)
    for (const [points, consumedPoints] of [
      [1, 1],
      [2, 3],
    ] as const)
      expect(await limits.penalty('one', points, { customDuration: 60 })).toMatchObject({ consumedPoints })
    expect(await cache.get('answer:one')).toEqual({ answer: 1 })
    expect(await cache.get('answer:two')).toBeUndefined()
    expect(await limits.get('two')).toBeNull()
    expect((await limits.get('one'))?.msBeforeNext).toBeLessThanOrEqual(60_000)
    for (const key of ['short:session:one', 'short:answer:one', 'short:rate:one'])
      expect(await client.pttl(key)).toBeGreaterThan(50_000)
  })

  it('of two sites is apart', async () => {
    const [one, other] = ['one', 'other'].map((prefix) => createRedisState(client, { prefix }))
    await one?.sessions.write('same', SESSION, WRITE)
    expect(await other?.sessions.read('same')).toBeUndefined()
  })

  it('waits for the first connection, and for scripts that Redis has forgotten', async () => {
    await client.script('FLUSH')
    const late = new Redis(redis.port, { enableOfflineQueue: false })
    const { sessions } = createRedisState(late, { prefix: 'late' })
    expect(await sessions.write('one', SESSION, WRITE)).toBe(true)
    late.disconnect()
    await expect(sessions.read('one')).rejects.toMatchObject({
      name: 'ConverseError',
      code: 'store_unavailable',
    })
  })

  it('fails in time when Redis does not answer', async () => {
    const slow = new Redis(redis.port)
    const { cache } = createRedisState(slow, { timeoutMs: 20 })
    await cache.get('warm').catch(() => undefined)
    await client.client('PAUSE', 400)
    await expect(cache.get('one')).rejects.toMatchObject({ code: 'store_unavailable' })
    slow.disconnect()
  })

  it('says what an option should be', () => {
    for (const options of [
      { prefix: 'a b' },
      { prefix: '{a}' },
      { timeoutMs: 0 },
      { retryMs: NaN },
      { unknown: 1 },
    ])
      expect(() => createRedisState(client, options as object)).toThrow(
        expect.objectContaining({ code: 'invalid_option' }) as Error,
      )
  })
})
