import type { JobSettings } from './job-options.js'
import type { JobStore } from './job-store.js'
import { endedJob, type JobEnd } from './ended-job.js'
import { HeldJob, takenOver } from './held-job.js'
import type { JobQueue, StoredJob } from './stored-job.js'
import type { HeldVisitor } from './waits.js'

export interface RunnerParts {
  readonly store: JobStore
  readonly settings: JobSettings
  readonly now: () => number
  /** Answers a job. Gives nothing when the job is not its own any more. */
  readonly work: (held: HeldJob) => Promise<WorkResult | undefined>
  /** Whether work that was interrupted is begun again. */
  readonly mayBeginAgain: (job: StoredJob) => boolean
  /** Makes one attempt to deliver the result, and gives what the job is then. */
  readonly deliver: (held: HeldJob) => Promise<StoredJob>
  readonly maxConcurrentDeliveries: number
  /** Tells people of a job that waits for them, and gives when that is due again; absent where nobody wants to be told. */
  readonly notify: ((held: HeldJob) => Promise<Pick<StoredJob, 'dueAt'>>) | undefined
  /** The visitor that asked for a job, where it still waits in this process: then it needs no delivery. */
  readonly holdVisitor: (id: string) => HeldVisitor | undefined
  /** Told when a job has ended or been handed over. */
  readonly onSettled: (job: StoredJob) => void
  /** Told when a job has been changed, here or elsewhere, where the store tells. */
  readonly onChanged: (id: string) => void
  readonly onError: (error: unknown) => void
}

/** The end of a job, or the members that hand it over to another queue. */
export type WorkResult = JobEnd | { readonly handOver: Partial<StoredJob> }

export interface JobRunner {
  /** Whether a job may be begun at once; then it takes a place, which `begin` or `leave` gives back. */
  enter(): boolean
  leave(): void
  /** Begins a job that was added as begun by this process. */
  begin(job: StoredJob): void
  /** Tells whoever answers a job that it has been ended elsewhere. */
  abandon(id: string): void
  /** Looks for what is due, now and once a second from now on. */
  start(): void
  /** Takes a look, and resolves when what it found to do is done. */
  runDue(): Promise<void>
  close(timeoutMs: number): Promise<void>
}

const LOOK_MS = 1000
const BATCH = 128
const MAX_PRUNE_BATCHES = 64
const MAX_CONCURRENT_NOTICES = 8
const INTERRUPTED =
  'The work was interrupted after it had begun, and may have had its effect; it is not begun again.'

export function createJobRunner(parts: RunnerParts): JobRunner {
  const { store, settings, now, holdVisitor, onSettled, onChanged, onError } = parts
  const { leaseMs } = settings
  const { notify } = parts
  const places: Record<JobQueue, number> = {
    work: settings.maxConcurrent,
    delivery: parts.maxConcurrentDeliveries,
    operator: notify === undefined ? 0 : MAX_CONCURRENT_NOTICES,
  }
  const held = new Map<string, { readonly one: HeldJob; readonly done: Promise<void> }>()
  let timer: ReturnType<typeof setInterval> | undefined
  let unsubscribe: (() => void) | undefined
  let isClosed = false
  let claiming: Promise<void> | undefined
  let isWokenAgain = false
  let renewedAt = now()

  /** Takes a step of a job to its end; the place must have been taken. */
  function hold(kind: JobQueue, job: StoredJob, step: (one: HeldJob) => Promise<void>): void {
    const one = new HeldJob(job, store)
    const done = step(one)
      .catch(onError)
      .finally(() => {
        if (held.get(job.id)?.one === one) held.delete(job.id)
        places[kind]++
        wake()
      })
    held.set(job.id, { one, done })
  }

  async function resume(one: HeldJob): Promise<void> {
    const { job } = one
    if (job.state === 'running' && !parts.mayBeginAgain(job)) return end(one, failedEnd(job, INTERRUPTED))
    if (await one.change({ state: 'running' })) return work(one)
  }

  async function work(one: HeldJob): Promise<void> {
    if (one.job.expiresAt <= now()) return end(one, { state: 'expired' })
    const result = await parts.work(one)
    if (result === undefined) return
    if (!('handOver' in result)) return end(one, result)
    if (await one.change({ ...result.handOver, dueAt: now() })) onSettled(one.job)
  }

  async function end(one: HeldJob, how: JobEnd): Promise<void> {
    const visitor = holdVisitor(one.job.id)
    // With its answer this visitor has all there is: it knows no id to poll, and no key to ask again with.
    const isForgotten = visitor !== undefined && isKnownToNobody(one.job)
    let isEnded = false
    try {
      isEnded = await one[isForgotten ? 'drop' : 'change']((job) =>
        endedJob(job, how, { now: now(), needsDelivery: visitor === undefined }),
      )
    } finally {
      if (!isEnded) visitor?.release()
    }
    if (!isEnded) return
    onSettled(one.job)
    if (visitor?.hasLeft === true && one.job.callback !== undefined) await one.change({ queue: 'delivery' })
  }

  async function deliver(one: HeldJob): Promise<void> {
    const after = await parts.deliver(one)
    await one.change(() => after)
  }

  async function tellPeople(one: HeldJob): Promise<void> {
    if (notify !== undefined) await one.change(await notify(one))
  }

  /** Claims what is due while there are places; one at a time, and once more if woken in between. */
  function wake(): void {
    if (isClosed) return
    if (claiming !== undefined) {
      isWokenAgain = true
      return
    }
    claiming = claimDue()
      .catch(onError)
      .finally(() => {
        claiming = undefined
        if (!isWokenAgain) return
        isWokenAgain = false
        wake()
      })
  }

  async function claimDue(): Promise<void> {
    // When the clock has jumped, what is held here must not look as if it had been left.
    await renew()
    await claim('delivery', deliver)
    await claim('operator', tellPeople)
    await claim('work', resume)
  }

  async function claim(kind: JobQueue, step: (one: HeldJob) => Promise<void>): Promise<void> {
    for (let limit = Math.min(places[kind], BATCH); limit > 0; limit = Math.min(places[kind], BATCH)) {
      places[kind] -= limit
      let claimed: readonly StoredJob[] = []
      try {
        claimed = await store.claim({ queue: kind, now: now(), leaseMs, limit })
      } finally {
        places[kind] += limit - claimed.length
      }
      for (const job of claimed) hold(kind, job, step)
      if (claimed.length < limit) return
    }
  }

  async function look(): Promise<void> {
    await renew()
    await expire()
    await prune()
    wake()
    await claiming
  }

  async function renew(): Promise<void> {
    const time = now()
    if (held.size === 0 || time < renewedAt + leaseMs / 3) return
    const dueAt = time + leaseMs
    const before = [...held.values()].map(({ one }) => ({ one, id: one.job.id, version: one.job.version }))
    const leases = before.map(({ id, version }) => ({ id, version }))
    const lost = new Set(await store.renew(leases, { dueAt }))
    renewedAt = time
    for (const { one, id, version } of before) {
      if (!lost.has(id)) one.renewed(dueAt)
      // A change of our own in the meantime has a version of its own.
      else if ((await one.latestVersion()) === version) one.abandon(takenOver())
    }
  }

  async function expire(): Promise<void> {
    const time = now()
    for (const job of await store.overdue({ now: time, limit: BATCH })) {
      const own = held.get(job.id)?.one
      if (own === undefined) {
        const expired = endedJob(job, { state: 'expired' }, { now: time, needsDelivery: true })
        if (await store.update(expired, { expectedVersion: job.version })) onSettled(expired)
      } else {
        await end(own, { state: 'expired' })
        own.abandon(new DOMException('The time for the job is over.', 'TimeoutError'))
      }
    }
  }

  /** The fuller the store, the sooner jobs that have ended go: from half on, and all of them before one is refused. */
  async function prune(): Promise<void> {
    const { open, ended } = await store.count()
    const fill = (open + ended) / settings.maxJobs
    const keptMs = settings.retentionMs * Math.min(Math.max(2 * (1 - fill), 0), 1)
    for (let batches = 1 + Math.floor(fill * MAX_PRUNE_BATCHES); batches > 0; batches--)
      if ((await store.prune({ finishedBefore: now() - keptMs, limit: BATCH })) < BATCH) return
  }

  return {
    enter() {
      if (isClosed || places.work === 0) return false
      places.work--
      return true
    },
    leave() {
      places.work++
    },
    abandon(id) {
      held.get(id)?.one.abandon(takenOver())
    },
    begin(job) {
      hold('work', job, work)
    },
    start() {
      if (timer !== undefined || isClosed) return
      timer = setInterval(() => {
        look().catch(onError)
      }, LOOK_MS)
      // Waiting for work keeps no program alive; a timer of a browser or of Workers is a number.
      if (typeof timer === 'object') timer.unref()
      unsubscribe = store.subscribe?.(({ id, isDue }) => {
        if (isDue) wake()
        onChanged(id)
      })
      wake()
    },
    async runDue() {
      const before = new Set(held.keys())
      await look()
      await Promise.all([...held].filter(([id]) => !before.has(id)).map(([, { done }]) => done))
    },
    async close(timeoutMs) {
      isClosed = true
      clearInterval(timer)
      unsubscribe?.()
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs)
      })
      await Promise.race([Promise.all([...held.values()].map(({ done }) => done)), over])
      clearTimeout(timer)
      for (const { one } of held.values())
        one.abandon(new DOMException('The concierge has been closed.', 'AbortError'))
    },
  }
}

function isKnownToNobody({ idempotency, callback, handedOverAt }: StoredJob): boolean {
  return idempotency === undefined && callback === undefined && handedOverAt === undefined
}

function failedEnd({ id }: StoredJob, message: string): JobEnd {
  return { state: 'failed', result: { status: 'failed', session_id: id, message } }
}
