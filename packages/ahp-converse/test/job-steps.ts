import fc from 'fast-check'
import type { JobQueue, JobStore, StoredJob } from '../src/server.js'

export type Step = (store: JobStore) => unknown

const QUEUES = ['work', 'operator', 'delivery'] as const
export const OWNERS = ['principal a', 'principal b', 'address 127.0.0.1'] as const
const ENDS = ['success', 'failed', 'expired'] as const
export const LIMITS = { maxJobs: 7, maxJobsPerOwner: 4, maxOpenJobsPerOwner: 3 }

let changes = 0

/** Steps know jobs by when they were made: the same moment is the same job. */
export function anyStep(): fc.Arbitrary<Step> {
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
    fc.record({ id, version }).map(
      ({ id: which, version: expectedVersion }): Step =>
        (store) =>
          store.remove(which, { expectedVersion }),
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
    fc.constant<Step>((store) => store.count()),
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

export function newJob(what: {
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
    account: owner,
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

export function end(
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

/** What a store gives, as JSON. When the next step is due means nothing where there is none. */
export async function seen(result: unknown): Promise<unknown> {
  const text = JSON.stringify((await result) ?? null, (_name, value: unknown) => {
    const isEnded = typeof value === 'object' && value !== null && 'dueAt' in value && !('queue' in value)
    return isEnded ? { ...value, dueAt: undefined } : value
  })
  return JSON.parse(text)
}
