import { type JobProgress, Queue, QueueEvents } from 'bullmq'
import { ConverseError } from '../converse-error.js'
import type { Answerer, Outcome } from '../outcome.js'
import { checkMembers, wholeOption } from '../server/state-options.js'
import type { Progress } from '../turn.js'
import { type BullOptions, type BullTask, DEFAULT_NAME, printConnectionErrors } from './bull-options.js'

/** Options of `createBullAnswerer`. */
export interface BullAnswererOptions extends BullOptions {
  /** How long work that has ended stays known; longer than `jobs.expireAfterMs`. Default: 172,800,000 (two days). */
  readonly keepMs?: number
}

/** The end of a queue where visitors are answered. */
export interface BullAnswerer {
  /** For capabilities that are answered as jobs, with `restartable: true`. */
  readonly answer: Answerer
  /** Closes the connections. */
  close(): Promise<void>
}

/** Somebody who waits for a piece of work. */
interface Watch {
  wake(): void
  report(progress: JobProgress): void
}

const MEMBERS: readonly (keyof BullAnswererOptions)[] = [
  'connection',
  'name',
  'prefix',
  'onConnectionError',
  'keepMs',
]
/** Ends are told by events; this is for those that were missed. */
const LOOK_MS = 5000

/**
 * Leaves answering to the workers of a BullMQ queue, in any process on any machine. The work is known by its idempotency key:
 * whoever asks for it again, after a process was killed, waits for the same work. Needs the package `bullmq`.
 *
 * @throws {ConverseError} `invalid_option`; `answer` rejects with `work_failed`
 */
export function createBullAnswerer(options: BullAnswererOptions): BullAnswerer {
  checkMembers('options', options, MEMBERS)
  const { connection, name = DEFAULT_NAME, prefix, onConnectionError = printConnectionErrors() } = options
  const age = Math.ceil(wholeOption('keepMs', options.keepMs, 172_800_000) / 1000)
  const shared = { connection, ...(prefix !== undefined && { prefix }) }
  const queue = new Queue<BullTask, Outcome>(name, shared).on('error', onConnectionError)
  const watches = new Map<string, Watch>()
  const events = new QueueEvents(name, shared)
    .on('error', onConnectionError)
    .on('completed', ({ jobId }) => watches.get(jobId)?.wake())
    .on('failed', ({ jobId }) => watches.get(jobId)?.wake())
    .on('progress', ({ jobId, data }) => watches.get(jobId)?.report(data))

  /** Tries again while Redis is away: whoever waits has its own end. */
  async function untilBack<Result>(signal: AbortSignal, step: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await orAborted(signal, step())
      } catch (error) {
        signal.throwIfAborted()
        onConnectionError(error)
        await pause(LOOK_MS, signal)
      }
    }
  }

  async function ended(id: string, signal: AbortSignal): Promise<Outcome | undefined> {
    const work = await untilBack(signal, () => queue.getJob(id))
    if (work === undefined) throw new ConverseError('work_failed', 'The work was removed from its queue.')
    // It may have been told before this process listened.
    watches.get(id)?.report(work.progress)
    if (work.finishedOn === undefined) return undefined
    // A worker that returned nothing is the site's fault like any other outcome that cannot be sent.
    if ((work.failedReason as string | undefined) === undefined) return work.returnvalue
    const cause = new Error(work.failedReason)
    throw new ConverseError('work_failed', 'A worker has failed, or was interrupted.', { cause })
  }

  return {
    async answer({ signal, reportProgress, ...task }) {
      const id = `turn-${task.idempotencyKey ?? crypto.randomUUID()}`
      let wake: () => void = () => undefined
      watches.set(id, {
        wake: () => {
          wake()
        },
        report: onceEach((progress) => reportProgress?.(progress)),
      })
      try {
        const keep = { removeOnComplete: { age }, removeOnFail: { age } }
        await untilBack(signal, () => queue.add(task.capability, task, { jobId: id, ...keep }))
        for (;;) {
          const woken = new Promise<void>((resolve) => (wake = resolve))
          const outcome = await ended(id, signal)
          if (outcome !== undefined) return outcome
          await pause(LOOK_MS, signal, woken)
        }
      } finally {
        watches.delete(id)
      }
    },
    async close() {
      await Promise.all([events.close(), queue.close()])
    },
  }
}

/** Passes on how far the work is, and nothing twice in a row: it is both told and looked up. */
function onceEach(report: (progress: Progress) => void): Watch['report'] {
  let last = ''
  return (progress) => {
    const text = JSON.stringify(progress)
    // Work that has told nothing yet is at 0.
    if (typeof progress !== 'object' || text === last) return
    last = text
    report(progress)
  }
}

/** Rejects with the reason of the signal. */
async function pause(ms: number, signal: AbortSignal, woken?: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await orAborted(signal, woken === undefined ? over : Promise.race([over, woken]))
  } finally {
    clearTimeout(timer)
  }
}

async function orAborted<Result>(signal: AbortSignal, step: Promise<Result>): Promise<Result> {
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => {
      reject(signal.reason as Error)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([step, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
