import type { JobResult, StoredJob } from './stored-job.js'

/** How a job ends. A question back is an end too: with its answer, another job begins. */
export type JobEnd =
  { readonly state: 'success' | 'failed'; readonly result: JobResult } | { readonly state: 'expired' }

/** The job after its end. What was said before in the session is not kept: only the answer needed it. */
export function endedJob(
  { queue: _taken, progress: _past, ...job }: StoredJob,
  end: JobEnd,
  { now, needsDelivery }: { readonly now: number; readonly needsDelivery: boolean },
): StoredJob {
  return {
    ...job,
    ...end,
    version: job.version + 1,
    finishedAt: now,
    dueAt: now,
    turn: { ...job.turn, history: [] },
    ...(needsDelivery && job.callback !== undefined ? { queue: 'delivery' } : {}),
  }
}
