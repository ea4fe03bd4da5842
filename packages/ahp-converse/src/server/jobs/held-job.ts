import type { JobStore } from './job-store.js'
import type { StoredJob } from './stored-job.js'

/** A job whose next step this process has claimed, and the only way in which it changes it. */
export class HeldJob {
  /** As it is in the store. */
  job: StoredJob
  readonly #store: JobStore
  readonly #lost = new AbortController()
  #last: Promise<unknown> = Promise.resolve()
  #progress: StoredJob['progress'] | undefined

  constructor(job: StoredJob, store: JobStore) {
    this.job = job
    this.#store = store
  }

  /** Aborts when the step is no longer this process's to take, with the reason. */
  get signal(): AbortSignal {
    return this.#lost.signal
  }

  /** Changes the job, after the changes before; false when it is another's by now. */
  change(members: Partial<StoredJob> | ((job: StoredJob) => StoredJob)): Promise<boolean> {
    return this.#next(() => this.#write(members))
  }

  /** Changes it for the last time, and does not keep it; false when it is another's by now. */
  drop(members: (job: StoredJob) => StoredJob): Promise<boolean> {
    return this.#next(() => this.#write(members, (job, options) => this.#store.remove(job.id, options)))
  }

  /** Keeps the latest progress; what was reported in the meantime is left out. */
  report(progress: NonNullable<StoredJob['progress']>): void {
    const isUnderWay = this.#progress !== undefined
    this.#progress = progress
    if (isUnderWay) return
    // Progress that could not be kept is not worth a job.
    void this.change((job) => {
      const latest = this.#progress ?? progress
      this.#progress = undefined
      return { ...job, progress: latest }
    }).catch(() => undefined)
  }

  /** The version when the changes that are under way have been made. */
  async latestVersion(): Promise<number> {
    await this.#last
    return this.job.version
  }

  /** Its lease is longer now, so that the next change does not make it shorter. */
  renewed(dueAt: number): void {
    this.job = { ...this.job, dueAt }
  }

  abandon(reason: unknown): void {
    this.#lost.abort(reason)
  }

  #next(write: () => Promise<boolean>): Promise<boolean> {
    const written = this.#last.then(write)
    this.#last = written.catch(() => undefined)
    return written
  }

  async #write(
    members: Partial<StoredJob> | ((job: StoredJob) => StoredJob),
    write: JobStore['update'] = (job, options) => this.#store.update(job, options),
  ): Promise<boolean> {
    if (this.signal.aborted) return false
    const { job } = this
    const { version } = job
    const changed = typeof members === 'function' ? members(job) : { ...job, ...members }
    const next = { ...changed, version: version + 1 }
    const isWritten = await write(next, { expectedVersion: version })
    if (isWritten) this.job = next
    else this.abandon(takenOver())
    return isWritten
  }
}

export function takenOver(): DOMException {
  return new DOMException('The job has been taken over or ended.', 'AbortError')
}
