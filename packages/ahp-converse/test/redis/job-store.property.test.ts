import { hasRedis, type RedisServer, startRedis } from '@internal/loopback'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisState } from '../../src/redis.js'
import { createMemoryJobStore, type JobQueue, type JobStore, type StoredJob } from '../../src/server.js'

type Step = (store: JobStore) => unknown

const QUEUES = ['work', 'operator', 'delivery'] as const
const OWNERS = ['principal a', 'principal b', 'address 127.0.0.1'] as const
const ENDS = ['success', 'failed', 'expired'] as const
const LIMITS = { maxJobs: 12, maxOpenJobsPerOwner: 5 }

let redis: RedisServer
let client: Redis
let runs = 0
let changes = 0

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

/** Steps know jobs by when they were made: the same moment is the same job. */
function anyStep(): fc.Arbitrary<Step> {
  const at = fc.integer({ min: 1, max: 8 })
  const id = at.map(idAt)
  const queue = fc.constantFrom<JobQueue>(...QUEUES)
  const version = fc.integer({ min: 1, max: 4 })
  const now = fc.integer({ min: 0, max: 12 }).map((time) => time * 1000 + 999)
  const limit = fc.integer({ min: 1, max: 4 })
  const wish = fc.record({
    at,
    owner: fc.constantFrom(...OWNERS),
    hasKey: fc.boolean(),
    queue: fc.constant<JobQueue>('work'),
  })
  return fc.oneof(
    wish.map(
      (what): Step =>
        (store) =>
          addOnce(store, newJob(what)),
    ),
    id.map(
      (which): Step =>
        (store) =>
          store.read(which),
    ),
    id.map(
      (which): Step =>
        (store) =>
          store.find(`key of ${which}`),
    ),
    fc
      .record({ id, version, queue, dueAt: now })
      .map(({ id: which, version: expectedVersion, ...members }): Step =>
        changing(which, expectedVersion, (job) => ({ ...job, ...members })),
      ),
    fc
      .record({
        id,
        version,
        at,
        state: fc.constantFrom(...ENDS),
        queue: fc.constantFrom('delivery' as const, undefined),
      })
      .map(({ id: which, version: expectedVersion, ...how }): Step =>
        changing(which, expectedVersion, (job) => end(job, how)),
      ),
    fc.record({ queue, now, limit: fc.constant(100), leaseMs: fc.constant(3000) }).map(
      (claim): Step =>
        async (store) =>
          byId(await store.claim(claim)),
    ),
    fc.record({ leases: fc.array(fc.record({ id, version }), { maxLength: 3 }), dueAt: now }).map(
      ({ leases, dueAt }): Step =>
        (store) =>
          store.renew(leases, { dueAt }),
    ),
    fc.record({ queue, limit }).map(
      (what): Step =>
        (store) =>
          store.list(what),
    ),
    now.map(
      (time): Step =>
        async (store) =>
          byId(await store.overdue({ now: time, limit: 100 })),
    ),
    now.map(
      (finishedBefore): Step =>
        (store) =>
          store.prune({ finishedBefore, limit: 100 }),
    ),
  )
}

/** Ids are random: no store is asked to add one a second time. */
async function addOnce(store: JobStore, job: StoredJob): Promise<unknown> {
  return (await store.read(job.id)) === undefined ? store.add(job, LIMITS) : 'there'
}

function changing(id: string, expectedVersion: number, change: (job: StoredJob) => StoredJob): Step {
  const note = `change ${changes++}`
  return async (store) => {
    const job = await store.read(id)
    if (job === undefined) return 'not there'
    if (job.finishedAt !== undefined) return 'ended'
    return store.update({ ...change(job), version: expectedVersion + 1, note }, { expectedVersion })
  }
}

function newJob(what: {
  readonly at: number
  readonly owner: string
  readonly hasKey: boolean
  readonly queue: JobQueue
}): StoredJob {
  const { at, owner, hasKey, queue } = what
  const id = idAt(at)
  return {
    id,
    owner,
    version: 1,
    state: 'waiting',
    queue,
    dueAt: at * 1000,
    createdAt: at * 1000,
    expiresAt: at * 1000 + 5000,
    turn: {
      capability: 'order',
      query: 'One, please — "now"',
      contentType: 'text/answer',
      history: [],
      sessionId: 'session',
      maxTokens: 100,
    },
    agreed: { contentType: 'text/answer' },
    ...(hasKey ? { idempotency: { key: `key of ${id}`, digest: 'digest' } } : {}),
  }
}

function end(
  { queue: _before, ...job }: StoredJob,
  how: { readonly at: number; readonly state: (typeof ENDS)[number]; readonly queue: JobQueue | undefined },
): StoredJob {
  const { at, state, queue } = how
  return { ...job, state, finishedAt: at * 1000, dueAt: at * 1000, ...(queue === undefined ? {} : { queue }) }
}

/** Of those that are due at the same moment, any may be first. */
function byId(jobs: readonly StoredJob[]): readonly StoredJob[] {
  return jobs.toSorted((one, other) => one.id.localeCompare(other.id))
}

function idAt(at: number): string {
  return `job-${at}`
}

async function seen(result: unknown): Promise<unknown> {
  return JSON.parse(JSON.stringify((await result) ?? null))
}
