import type { JobQueue, StoredJob } from './stored-job.js'

type Awaitable<Value> = Value | Promise<Value>

/**
 * Where jobs are kept. Each method is one atomic step, wherever processes share the store; what it resolved to must outlive
 * the process if jobs are to.
 *
 * A step of a job is taken by whoever claims it: that moves `dueAt` to the end of the lease and raises `version`, so that
 * a claimer that was too slow can change nothing any more.
 */
export interface JobStore {
  /**
   * Adds a job, unless one with its idempotency key is there, or there are too many. Those of its account that have ended
   * longest ago make room for it, unless their result is still to be delivered.
   */
  add(job: StoredJob, limits: JobLimits): Awaitable<JobAdded>
  read(id: string): Awaitable<StoredJob | undefined>
  /** The job with this idempotency key. */
  find(key: string): Awaitable<StoredJob | undefined>
  /** Replaces a job, unless its version there is another than `expectedVersion`: then it changes nothing and gives false. */
  update(job: StoredJob, options: { readonly expectedVersion: number }): Awaitable<boolean>
  /** Removes a job, unless its version there is another than `expectedVersion`: then it changes nothing and gives false. */
  remove(id: string, options: { readonly expectedVersion: number }): Awaitable<boolean>
  /** Claims jobs of a queue that are due, those that are due for longest first. */
  claim(claim: JobClaim): Awaitable<readonly StoredJob[]>
  /** Moves the ends of leases whose version is still the given one; gives the ids of the others. */
  renew(leases: readonly JobLease[], options: { readonly dueAt: number }): Awaitable<readonly string[]>
  /** Jobs of a queue, whether due or not, the oldest first. */
  list(options: { readonly queue: JobQueue; readonly limit: number }): Awaitable<readonly StoredJob[]>
  /** Jobs that have not ended and whose `expiresAt` is not after `now`. */
  overdue(options: { readonly now: number; readonly limit: number }): Awaitable<readonly StoredJob[]>
  /** Removes jobs that ended at that time or before, unless their result is still to be delivered; gives their number. */
  prune(options: { readonly finishedBefore: number; readonly limit: number }): Awaitable<number>
  count(): Awaitable<JobCount>
  /**
   * Calls back when a process has added, handed over or ended a job; gives what ends that. Without it, or when a call is lost, the
   * others look once a second for what is due, and those that wait for an end are told when their wait is over.
   */
  subscribe?(listener: (change: JobChange) => void): () => void
}

/** A job that has changed, as a store tells it. */
export interface JobChange {
  readonly id: string
  /** Whether its next step may be claimed now. */
  readonly isDue: boolean
}

/** How many jobs a store holds. */
export interface JobCount {
  /** Those that have not ended. */
  readonly open: number
  readonly ended: number
}

/** How many jobs a store takes. */
export interface JobLimits {
  /** Of all that are kept. */
  readonly maxJobs: number
  /** Of one account, ended ones included. */
  readonly maxJobsPerOwner: number
  /** Of one account that have not ended. */
  readonly maxOpenJobsPerOwner: number
}

/** What came of adding a job. */
export type JobAdded =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'known'; readonly job: StoredJob }
  | { readonly outcome: 'too_many'; readonly scope: 'owner' | 'store' }

/** What a process asks for that would take up a job. */
export interface JobClaim {
  readonly queue: JobQueue
  readonly now: number
  readonly leaseMs: number
  readonly limit: number
}

/** The hold of a process on a job. */
export interface JobLease {
  readonly id: string
  readonly version: number
}
