import type { JobStore } from './job-store.js'
import { hasEnded, type JobQueue, type StoredJob } from './stored-job.js'

/** Jobs in this process: they end with it. */
export function createMemoryJobStore(): JobStore {
  const jobs = new Map<string, StoredJob>()
  const byKey = new Map<string, string>()
  const open = new Map<string, number>()
  const queues = createQueues()

  function count(owner: string, change: 1 | -1): void {
    const left = (open.get(owner) ?? 0) + change
    if (left === 0) open.delete(owner)
    else open.set(owner, left)
  }

  function keep(job: StoredJob): void {
    const before = jobs.get(job.id)
    jobs.set(job.id, job)
    queues.move(before, job)
  }

  function find(key: string): StoredJob | undefined {
    const id = byKey.get(key)
    return id === undefined ? undefined : jobs.get(id)
  }

  return {
    find,
    add(job, { maxJobs, maxOpenJobsPerOwner }) {
      const known = job.idempotency && find(job.idempotency.key)
      if (known !== undefined) return { outcome: 'known', job: known }
      if ((open.get(job.owner) ?? 0) >= maxOpenJobsPerOwner) return { outcome: 'too_many', scope: 'owner' }
      if (jobs.size >= maxJobs) return { outcome: 'too_many', scope: 'store' }
      keep(job)
      if (job.idempotency !== undefined) byKey.set(job.idempotency.key, job.id)
      count(job.owner, 1)
      return { outcome: 'added' }
    },
    read: (id) => jobs.get(id),
    update(job, { expectedVersion }) {
      const before = jobs.get(job.id)
      if (before?.version !== expectedVersion) return false
      keep(job)
      if (hasEnded(job) && !hasEnded(before)) count(job.owner, -1)
      return true
    },
    claim: ({ queue, now, leaseMs, limit }) =>
      queues.due(queue, now, limit).map((job) => {
        const claimed = { ...job, version: job.version + 1, dueAt: now + leaseMs }
        keep(claimed)
        return claimed
      }),
    renew(leases, { dueAt }) {
      return leases.flatMap(({ id, version }) => {
        const job = jobs.get(id)
        if (job?.version !== version) return [id]
        keep({ ...job, dueAt })
        return []
      })
    },
    list: ({ queue, limit }) =>
      queues
        .all(queue)
        .sort((one, other) => one.createdAt - other.createdAt)
        .slice(0, limit),
    overdue: ({ now, limit }) =>
      [...jobs.values()].filter((job) => !hasEnded(job) && job.expiresAt <= now).slice(0, limit),
    prune({ finishedBefore, limit }) {
      let pruned = 0
      for (const { id, queue, finishedAt, idempotency } of jobs.values()) {
        if (pruned === limit) break
        if (queue !== undefined || finishedAt === undefined || finishedAt > finishedBefore) continue
        jobs.delete(id)
        if (idempotency !== undefined) byKey.delete(idempotency.key)
        pruned++
      }
      return pruned
    },
    count() {
      let notEnded = 0
      for (const ofOwner of open.values()) notEnded += ofOwner
      return { open: notEnded, ended: jobs.size - notEnded }
    },
  }
}

interface Queue {
  readonly jobs: Map<string, StoredJob>
  /** Nothing is due before. */
  nextDueAt: number
}

interface Queues {
  move(before: StoredJob | undefined, job: StoredJob): void
  all(queue: JobQueue): StoredJob[]
  /** The jobs that are due, those that are for longest first. */
  due(queue: JobQueue, now: number, limit: number): readonly StoredJob[]
}

function createQueues(): Queues {
  const queues = new Map<JobQueue, Queue>()

  function queueOf(name: JobQueue): Queue {
    const queue = queues.get(name) ?? { jobs: new Map<string, StoredJob>(), nextDueAt: Infinity }
    queues.set(name, queue)
    return queue
  }

  return {
    move(before, job) {
      if (before?.queue !== undefined && before.queue !== job.queue) queueOf(before.queue).jobs.delete(job.id)
      if (job.queue === undefined) return
      const queue = queueOf(job.queue)
      queue.jobs.set(job.id, job)
      queue.nextDueAt = Math.min(queue.nextDueAt, job.dueAt)
    },
    all: (name) => [...queueOf(name).jobs.values()],
    due(name, now, limit) {
      const queue = queueOf(name)
      if (now < queue.nextDueAt) return []
      const due = [...queue.jobs.values()].filter(({ dueAt }) => dueAt <= now)
      due.sort((one, other) => one.dueAt - other.dueAt)
      if (due.length <= limit) queue.nextDueAt = nextDueAfter(queue.jobs.values(), now)
      return due.slice(0, limit)
    },
  }
}

function nextDueAfter(jobs: Iterable<StoredJob>, now: number): number {
  let next = Infinity
  for (const { dueAt } of jobs) if (dueAt > now) next = Math.min(next, dueAt)
  return next
}
