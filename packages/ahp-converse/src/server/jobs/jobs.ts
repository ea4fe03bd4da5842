import { createIdSource, type RandomBytes } from '../sessions/session-id.js'
import { endedJob, type JobEnd } from './ended-job.js'
import type { HeldJob } from './held-job.js'
import type { JobSettings } from './job-options.js'
import { createJobRunner, type RunnerParts, type WorkResult } from './job-runner.js'
import type { JobStore } from './job-store.js'
import { createMemoryJobStore } from './memory-job-store.js'
import { hasEnded, type Idempotency, type StoredJob } from './stored-job.js'
import { createWaits, type Wait } from './waits.js'
import { watchedJobStore } from './watched-job-store.js'

/** What is to be done, by whom it was asked for. */
export type JobWish = Pick<StoredJob, 'owner' | 'account' | 'turn' | 'agreed' | 'progress' | 'callback'> & {
  readonly idempotency?: Idempotency
  /** Default: the option `jobs.expireAfterMs`. */
  readonly expireAfterMs?: number | undefined
}

export type Submitted =
  | { readonly outcome: 'added' | 'known'; readonly job: StoredJob }
  | { readonly outcome: 'too_many'; readonly scope: 'owner' | 'store' }
  | { readonly outcome: 'not_added'; readonly error: unknown }

export interface Jobs {
  readonly store: JobStore
  /**
   * Adds a job and begins it if there is a place; what was known already is left as it is. Gives the job when it has ended or
   * been handed over, or as it is when the wait is over. Rejects with the reason of the signal.
   */
  submit(wish: JobWish, wait: Wait): Promise<Submitted>
  /** The job of this owner; undefined for another's, as if it were not there. */
  read(id: string, owner: string): Promise<StoredJob | undefined>
  /** The job that this owner began with this key. */
  find(key: string): Promise<StoredJob | undefined>
  /** A job that was found, when it has ended or been handed over, or as it is when the wait is over. */
  settled(job: StoredJob, wait: Wait): Promise<StoredJob>
  /** Ends a job, wherever it is; false if it had ended, or was changed by another in the meantime. */
  end(job: StoredJob, how: JobEnd): Promise<boolean>
  /** Ends a job as failed, whoever works on it. */
  cancel(id: string, message: string): Promise<boolean>
  /** Begins the delivery again. */
  redeliver(id: string): Promise<boolean>
  runDue(): Promise<void>
  close(timeoutMs: number): Promise<void>
}

export interface JobsParts {
  readonly settings: JobSettings
  readonly now: () => number
  readonly random: RandomBytes
  readonly work: (held: HeldJob) => Promise<WorkResult | undefined>
  readonly mayBeginAgain: (job: StoredJob) => boolean
  readonly deliver: (held: HeldJob) => Promise<StoredJob>
  readonly maxConcurrentDeliveries: number
  readonly notify: RunnerParts['notify']
  /** Told when a job has been added in this process. */
  readonly onAdded: (job: StoredJob) => void
  /** Told when a job has ended or been handed over in this process. */
  readonly onSettled: (job: StoredJob) => void
  readonly onError: (error: unknown) => void
}

/** The job may change in between, as often as it makes progress. */
const MAX_TRIES = 10

/**
 * What is not answered while the visitor waits, and what must not be done twice. A job is in the store before it is begun,
 * it is marked as begun before whoever answers is called, and it is begun again after an interruption only where that was
 * allowed: so it is not lost, and its effect is not repeated.
 */
export function createJobs(parts: JobsParts): Jobs {
  const { settings, now, random } = parts
  const store = watchedJobStore(settings.store ?? createMemoryJobStore())
  const createId = createIdSource(random)
  const waits = createWaits(async (id) => store.read(id))
  const runner = createJobRunner({
    ...parts,
    store,
    holdVisitor: (id) => waits.hold(id),
    onSettled: tellAll,
    onChanged(id) {
      if (waits.isAwaited(id)) tellOfChange(id).catch(parts.onError)
    },
  })
  // What an earlier process has left behind.
  if (settings.store !== undefined) runner.start()

  function newJob({ expireAfterMs = settings.expireAfterMs, ...wish }: JobWish, isBegun: boolean): StoredJob {
    const time = now()
    return {
      ...wish,
      id: createId(),
      version: 1,
      state: isBegun ? 'running' : 'waiting',
      queue: 'work',
      dueAt: isBegun ? time + settings.leaseMs : time,
      createdAt: time,
      expiresAt: time + expireAfterMs,
    }
  }

  async function settled(job: StoredJob, wait: Wait): Promise<StoredJob> {
    if (hasEnded(job) || wait.timeoutMs === 0) return job
    const [later] = await Promise.all([waits.wait(job, wait), tellIfEnded(job.id)])
    return later
  }

  /** It may have ended before anybody listened. */
  async function tellIfEnded(id: string): Promise<void> {
    const latest = await store.read(id)
    if (latest !== undefined && hasEnded(latest)) waits.tell(latest)
  }

  /** Those who wait here for what was done elsewhere. */
  async function tellOfChange(id: string): Promise<void> {
    const job = await store.read(id)
    if (job !== undefined && (hasEnded(job) || job.queue === 'operator')) waits.tell(job)
  }

  function tellAll(job: StoredJob): void {
    waits.tell(job)
    parts.onSettled(job)
  }

  async function add(wish: JobWish, isBegun: boolean): Promise<Submitted> {
    const job = newJob(wish, isBegun)
    try {
      const added = await store.add(job, settings)
      return added.outcome === 'added' ? { outcome: 'added', job } : added
    } catch (error) {
      return { outcome: 'not_added', error }
    }
  }

  async function end(job: StoredJob, how: JobEnd): Promise<boolean> {
    if (hasEnded(job)) return false
    const ended = endedJob(job, how, { now: now(), needsDelivery: true })
    const isEnded = await store.update(ended, { expectedVersion: job.version })
    if (isEnded) {
      runner.abandon(job.id)
      tellAll(ended)
    }
    return isEnded
  }

  return {
    store,
    settled,
    async submit(wish, wait) {
      runner.start()
      const isBegun = runner.enter()
      const added = await add(wish, isBegun)
      if (added.outcome !== 'added' && isBegun) runner.leave()
      if (added.outcome === 'too_many' || added.outcome === 'not_added') return added
      const { outcome, job } = added
      if (outcome === 'added') parts.onAdded(job)
      if (outcome === 'known') return { outcome, job: await settled(job, wait) }
      const later = wait.timeoutMs === 0 ? job : waits.waitFirst(job, wait)
      if (isBegun) runner.begin(job)
      return { outcome, job: await later }
    },
    async read(id, owner) {
      const job = await store.read(id)
      return job?.owner === owner ? job : undefined
    },
    find: async (key) => store.find(key),
    end,
    async cancel(id, message) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const job = await store.read(id)
        if (job === undefined || hasEnded(job)) return false
        const result = { status: 'failed', session_id: id, message } as const
        if (await end(job, { state: 'failed', result })) return true
      }
      return false
    },
    async redeliver(id) {
      const job = await store.read(id)
      if (job?.callback === undefined || !hasEnded(job) || job.queue !== undefined) return false
      const { version, callback } = job
      const { deliveredAt: _before, ...undelivered } = callback
      const again: StoredJob = {
        ...job,
        version: version + 1,
        callback: { ...undelivered, attempts: 0 },
        queue: 'delivery',
        dueAt: now(),
      }
      return store.update(again, { expectedVersion: version })
    },
    runDue: () => runner.runDue(),
    close: (timeoutMs) => runner.close(timeoutMs),
  }
}
