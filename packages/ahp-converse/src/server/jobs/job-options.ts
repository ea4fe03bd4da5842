import { invalidOption } from '../../converse-error.js'
import { checkMembers, storeOption, wholeOption } from '../state-options.js'
import type { JobStore } from './job-store.js'

/** How work is kept that acts or takes time. */
export interface JobOptions {
  /** Default: the memory of the process, with which all jobs end. */
  readonly store?: JobStore
  /** Jobs being answered at once in this process; others wait. Default: 64. */
  readonly maxConcurrent?: number
  /**
   * Jobs kept, ended ones included. Default: 100,000. From half of them on, those that have ended are kept for a shorter time the
   * more there are.
   */
  readonly maxJobs?: number
  /** Of one caller; those that have ended longest ago make room for its next. Default: 1,000, or `maxOpenJobsPerOwner` if that is more. */
  readonly maxJobsPerOwner?: number
  /** Jobs of one caller that have not ended. Default: 100. */
  readonly maxOpenJobsPerOwner?: number
  /** When a job that has not ended does so as `expired`, milliseconds. Default: 86,400,000 (a day). */
  readonly expireAfterMs?: number
  /** How long a job that has ended is kept at most, and its idempotency key known, milliseconds. Default: 86,400,000 (a day). */
  readonly retentionMs?: number
  /** How long a process may be silent before others take over what it had begun, milliseconds. Default: 30,000. */
  readonly leaseMs?: number
  /** Longest result as JSON, characters. Default: 262,144. */
  readonly maxResultLength?: number
}

export type JobSettings = Readonly<Required<Omit<JobOptions, 'store'>>> & {
  readonly store: JobStore | undefined
}

const MEMBERS: readonly (keyof JobOptions)[] = [
  'store',
  'maxConcurrent',
  'maxJobs',
  'maxJobsPerOwner',
  'maxOpenJobsPerOwner',
  'expireAfterMs',
  'retentionMs',
  'leaseMs',
  'maxResultLength',
]
const STORE_METHODS: readonly (keyof JobStore)[] = [
  'add',
  'read',
  'find',
  'update',
  'remove',
  'claim',
  'renew',
  'list',
  'overdue',
  'prune',
  'count',
]
const DAY_MS = 86_400_000
/** Leases are renewed three times in their length, by a timer that looks once a second. */
const MIN_LEASE_MS = 3000

/** Throws `invalid_option`. */
export function readJobOptions(options: JobOptions): JobSettings {
  checkMembers('jobs', options, MEMBERS)
  const leaseMs = wholeOption('jobs.leaseMs', options.leaseMs, 30_000)
  if (leaseMs < MIN_LEASE_MS) throw invalidOption('jobs.leaseMs', `must be at least ${MIN_LEASE_MS}`)
  const maxOpenJobsPerOwner = wholeOption('jobs.maxOpenJobsPerOwner', options.maxOpenJobsPerOwner, 100)
  return {
    store: storeOption('jobs.store', options.store, STORE_METHODS),
    maxConcurrent: wholeOption('jobs.maxConcurrent', options.maxConcurrent, 64),
    maxJobs: wholeOption('jobs.maxJobs', options.maxJobs, 100_000),
    maxJobsPerOwner: wholeOption(
      'jobs.maxJobsPerOwner',
      options.maxJobsPerOwner,
      Math.max(maxOpenJobsPerOwner, 1000),
    ),
    maxOpenJobsPerOwner,
    expireAfterMs: wholeOption('jobs.expireAfterMs', options.expireAfterMs, DAY_MS),
    retentionMs: wholeOption('jobs.retentionMs', options.retentionMs, DAY_MS),
    leaseMs,
    maxResultLength: wholeOption('jobs.maxResultLength', options.maxResultLength, 262_144),
  }
}
