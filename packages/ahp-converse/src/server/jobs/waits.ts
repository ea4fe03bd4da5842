import type { StoredJob } from './stored-job.js'

export interface Wait {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** Visitors of this process that wait for the ends of jobs. */
export interface Waits {
  /** The job when it is told of, or as it is in the store when the wait is over. Rejects with the reason of the signal. */
  wait(job: StoredJob, wait: Wait): Promise<StoredJob>
  /** The same for the visitor that asked for the job, and was promised nothing so far. */
  waitFirst(job: StoredJob, wait: Wait): Promise<StoredJob>
  /** Whether anybody waits for a job. */
  isAwaited(id: string): boolean
  /** To those who wait for it. */
  tell(job: StoredJob): void
  /** Has the visitor that asked for the job wait for the end that is being written; undefined when it waits no more. */
  hold(id: string): HeldVisitor | undefined
}

export interface HeldVisitor {
  /** Whether it has left in the meantime, so that it will not be told. */
  readonly hasLeft: boolean
  /** The end could not be written: its wait is over when its time is. */
  release(): void
}

interface Waiter {
  readonly tell: (job: StoredJob) => void
  readonly hold: () => HeldVisitor
}

/** `read` gives the job as it is in the store. */
export function createWaits(read: (id: string) => Promise<StoredJob | undefined>): Waits {
  const waiters = new Map<string, Set<Waiter>>()
  const first = new Map<string, Waiter>()

  function wait(
    job: StoredJob,
    { timeoutMs, signal }: Wait,
    onEnter?: (waiter: Waiter) => void,
  ): Promise<StoredJob> {
    return new Promise((resolve, reject) => {
      let isHeld = false
      let isLate = false
      let hasLeft = false
      const waiter: Waiter = {
        tell(settled) {
          leave()
          resolve(settled)
        },
        hold() {
          isHeld = true
          return {
            get hasLeft() {
              return hasLeft
            },
            release() {
              isHeld = false
              if (isLate) giveUp()
            },
          }
        },
      }
      const timer = setTimeout(giveUp, timeoutMs)
      const others = waiters.get(job.id) ?? new Set<Waiter>()
      waiters.set(job.id, others.add(waiter))
      onEnter?.(waiter)
      if (signal?.aborted === true) onAbort()
      else signal?.addEventListener('abort', onAbort)

      function leave(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        others.delete(waiter)
        if (others.size === 0) waiters.delete(job.id)
        if (first.get(job.id) === waiter) first.delete(job.id)
      }
      function onAbort(): void {
        hasLeft = true
        leave()
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an abort rejects with its own reason
        reject(signal?.reason)
      }
      function giveUp(): void {
        isLate = true
        if (isHeld || hasLeft) return
        leave()
        read(job.id).then((latest) => {
          resolve(latest ?? job)
        }, reject)
      }
    })
  }

  return {
    wait: (job, terms) => wait(job, terms),
    waitFirst: (job, terms) => wait(job, terms, (waiter) => first.set(job.id, waiter)),
    isAwaited: (id) => waiters.has(id),
    tell(job) {
      for (const waiter of waiters.get(job.id) ?? []) waiter.tell(job)
    },
    hold: (id) => first.get(id)?.hold(),
  }
}
