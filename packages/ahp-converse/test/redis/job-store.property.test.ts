import { hasRedis, type RedisServer, startRedis } from '@internal/loopback'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisState } from '../../src/redis.js'
import { createMemoryJobStore } from '../../src/server.js'
import { anyStep, end, LIMITS, newJob, OWNERS, seen } from '../job-steps.js'

let redis: RedisServer
let client: Redis
let runs = 0

describe.skipIf(!hasRedis)(`jobs in Redis${hasRedis ? '' : ' (skipped: no redis-server here)'}`, () => {
  beforeAll(async () => {
    redis = await startRedis()
    client = new Redis(redis.port)
  })
  afterAll(async () => {
    client.disconnect()
    await redis[Symbol.asyncDispose]()
  })

  it('are kept as in memory, whatever is done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { minLength: 40, maxLength: 80 }), async (steps) => {
        const model = createMemoryJobStore()
        const store = createRedisState(client, { prefix: `run-${runs++}` }).jobs
        for (const step of steps) expect(await seen(step(store))).toEqual(await seen(step(model)))
      }),
      { numRuns: 100 },
    )
  })

  it('are claimed by those that are due for longest, and by nobody else', async () => {
    const store = createRedisState(client, { prefix: 'claimed' }).jobs
    for (const at of [3, 1, 2])
      await store.add(newJob({ at, owner: OWNERS[0], hasKey: false, queue: 'work' }), LIMITS)
    const claim = { queue: 'work', now: 2500, leaseMs: 3000 } as const
    const claimed = await Promise.all([
      store.claim({ ...claim, limit: 1 }),
      store.claim({ ...claim, limit: 5 }),
    ])
    expect(claimed.map((jobs) => jobs.map(({ id, version, dueAt }) => [id, version, dueAt]))).toEqual([
      [['job-1', 2, 5500]],
      [['job-2', 2, 5500]],
    ])
  })

  it('are the same when a command reaches Redis twice', async () => {
    const store = createRedisState(client, { prefix: 'twice' }).jobs
    const job = newJob({ at: 1, owner: OWNERS[0], hasKey: true, queue: 'work' })
    expect([await store.add(job, LIMITS), await store.add(job, LIMITS)]).toEqual([
      { outcome: 'added' },
      { outcome: 'added' },
    ])
    const ended = end({ ...job, version: 2 }, { at: 2, state: 'success', queue: undefined })
    const updates = [ended, ended, { ...ended, note: 'another' }]
    const written: unknown[] = []
    for (const one of updates) written.push(await store.update(one, { expectedVersion: 1 }))
    expect(written).toEqual([true, true, false])
    expect(await client.hgetall('{twice:jobs}:open-of-owner')).toEqual({})
  })

  it('leave nothing behind when they are pruned', async () => {
    const store = createRedisState(client, { prefix: 'pruned' }).jobs
    const job = newJob({ at: 1, owner: OWNERS[0], hasKey: true, queue: 'work' })
    await store.add(job, LIMITS)
    await store.update(end({ ...job, version: 2 }, { at: 2, state: 'failed', queue: undefined }), {
      expectedVersion: 1,
    })
    expect(await store.prune({ finishedBefore: 100_000, limit: 10 })).toBe(1)
    expect(await client.keys('*pruned*')).toEqual([])
  })
})
