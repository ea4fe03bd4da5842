import type { JobStore } from './job-store.js'
import { hasEnded, type JobQueue, type StoredJob } from './stored-job.js'

/** Jobs in this process: they end with it. */
export function createMemoryJobStore(): JobStore {
  const jobs = new Map<string, StoredJob>()
  const byKey = new Map<string, string>()
  const accounts = createAccounts()
  const queues = createQueues()

  function keep(job: StoredJob): void {
    const before = jobs.get(job.id)
    jobs.set(job.id, job)
    queues.move(before, job)
    accounts.move(before, job)
  }

  function drop(job: StoredJob): void {
    jobs.delete(job.id)
    if (job.idempotency !== undefined) byKey.delete(job.idempotency.key)
    queues.move(job, undefined)
    accounts.move(job, undefined)
  }

  function find(key: string): StoredJob | undefined {
    const id = byKey.get(key)
    return id === undefined ? undefined : jobs.get(id)
  }

  return {
    find,
    add(job, { maxJobs, maxJobsPerOwner, maxOpenJobsPerOwner }) {
      const known = job.idempotency && find(job.idempotency.key)
      if (known !== undefined) return { outcome: 'known', job: known }
      if (accounts.countOpen(job.account) >= maxOpenJobsPerOwner)
        return { outcome: 'too_many', scope: 'owner' }
      const spare = accounts.count(job.account) - maxJobsPerOwner + 1
      if (spare > 0) accounts.oldestEnded(job.account, spare).forEach(drop)
      if (accounts.count(job.account) >= maxJobsPerOwner) return { outcome: 'too_many', scope: 'owner' }
      if (jobs.size >= maxJobs) return { outcome: 'too_many', scope: 'store' }
      keep(job)
      if (job.idempotency !== undefined) byKey.set(job.idempotency.key, job.id)
      return { outcome: 'added' }
    },
    read: (id) => jobs.get(id),
    update(job, { expectedVersion }) {
      const before = jobs.get(job.id)
      if (before?.version !== expectedVersion) return false
      keep(job)
      return true
    },
    remove(id, { expectedVersion }) {
      const job = jobs.get(id)
      if (job?.version !== expectedVersion) return false
      drop(job)
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
      for (const job of jobs.values()) {
        if (pruned === limit) break
        if (!isDone(job) || (job.finishedAt ?? 0) > finishedBefore) continue
        drop(job)
        pruned++
      }
      return pruned
    },
    count() {
      const open = accounts.countAllOpen()
      return { open, ended: jobs.size - open }
    },
  }
}

interface Accounts {
  move(before: StoredJob | undefined, job: StoredJob | undefined): void
  count(account: string): number
  countOpen(account: string): number
  countAllOpen(): number
  /** So many of those that have no step left, the first to end first. */
  oldestEnded(account: string, limit: number): readonly StoredJob[]
}

interface Account {
  count: number
  open: number
  readonly done: Map<string, StoredJob>
}

function createAccounts(): Accounts {
  const accounts = new Map<string, Account>()
  let allOpen = 0

  return {
    move(before, job) {
      const name = (job ?? before)?.account ?? ''
      const account = accounts.get(name) ?? { count: 0, open: 0, done: new Map<string, StoredJob>() }
      const opened = Number(isOpen(job)) - Number(isOpen(before))
      allOpen += opened
      account.open += opened
      account.count += Number(job !== undefined) - Number(before !== undefined)
      if (before !== undefined) account.done.delete(before.id)
      if (isDone(job)) account.done.set(job.id, job)
      if (account.count === 0) accounts.delete(name)
      else accounts.set(name, account)
    },
    count: (name) => accounts.get(name)?.count ?? 0,
    countOpen: (name) => accounts.get(name)?.open ?? 0,
    countAllOpen: () => allOpen,
    oldestEnded: (name, limit) =>
      [...(accounts.get(name)?.done.values() ?? [])]
        .sort((one, other) => (one.finishedAt ?? 0) - (other.finishedAt ?? 0) || (one.id < other.id ? -1 : 1))
        .slice(0, limit),
  }
}

function isOpen(job: StoredJob | undefined): boolean {
  return job !== undefined && !hasEnded(job)
}

/** Whether nothing is left to do for it. */
function isDone(job: StoredJob | undefined): job is StoredJob {
  return job?.finishedAt !== undefined && job.queue === undefined
}

interface Queue {
  readonly jobs: Map<string, StoredJob>
  /** Nothing is due before. */
  nextDueAt: number
}

interface Queues {
  move(before: StoredJob | undefined, job: StoredJob | undefined): void
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
      if (before?.queue !== undefined && before.queue !== job?.queue)
        queueOf(before.queue).jobs.delete(before.id)
      if (job?.queue === undefined) return
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
