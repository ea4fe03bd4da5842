/** How a queue is to hand out origins. */
export interface ProcessOptions {
  /** Origins under way at once in this process. */
  readonly concurrency: number
  /** At most so many starts in so many milliseconds, over all processes that share the queue. */
  readonly rate: { readonly max: number; readonly intervalMs: number } | undefined
  /** Ends the work: nothing more is begun. */
  readonly signal: AbortSignal | undefined
}

/** Origins that wait to be synced, first come, first served, each only once at a time. */
export interface OriginQueue {
  /** An origin that waits already, or is under way, is not added again. */
  add(origin: string): Promise<void>
  /**
   * Calls `work` for one origin after the other. Resolves when there is nothing left to do, which a queue that others can
   * add to never knows, or once the signal aborted and all calls have settled. An error of `work` fails that job only.
   */
  process(work: (origin: string) => Promise<void>, options: ProcessOptions): Promise<void>
}
