import { Worker } from 'bullmq'
import type { Answerer, Outcome } from '../outcome.js'
import { checkMembers, wholeOption } from '../server/state-options.js'
import { checkWhole } from '../server/check-option.js'
import { type BullOptions, type BullTask, DEFAULT_NAME, printConnectionErrors } from './bull-options.js'

/** Options of `createBullWorker`. */
export interface BullWorkerOptions extends BullOptions {
  /** Work being done at once in this process. Default: 8. */
  readonly concurrency?: number
  /** How long a process may be silent before its work counts as interrupted, milliseconds. Default: 30,000. */
  readonly leaseMs?: number
  /**
   * How often interrupted work is begun again, with the same `idempotencyKey`. Default: 0, so that nothing is done twice: it has
   * failed.
   */
  readonly maxRestarts?: number
}

/** The end of a queue where work is done. */
export interface BullWorker {
  /** Takes no more work, and resolves when what is under way is done. */
  close(): Promise<void>
}

const MEMBERS: readonly (keyof BullWorkerOptions)[] = [
  'connection',
  'name',
  'prefix',
  'onConnectionError',
  'concurrency',
  'leaseMs',
  'maxRestarts',
]

/** Does what `createBullAnswerer` leaves to it. Needs the package `bullmq`. @throws {ConverseError} `invalid_option` */
export function createBullWorker(answer: Answerer, options: BullWorkerOptions): BullWorker {
  checkMembers('options', options, MEMBERS)
  const { connection, name = DEFAULT_NAME, prefix, onConnectionError = printConnectionErrors() } = options
  const leaseMs = wholeOption('leaseMs', options.leaseMs, 30_000)
  const worker = new Worker<BullTask, Outcome>(
    name,
    async (work, _token, signal = new AbortController().signal) =>
      answer({
        ...work.data,
        reportProgress: (progress) => {
          // Progress that could not be told is not worth the work.
          work.updateProgress({ ...progress }).catch(onConnectionError)
        },
        signal,
      }),
    {
      connection,
      ...(prefix !== undefined && { prefix }),
      concurrency: wholeOption('concurrency', options.concurrency, 8),
      lockDuration: leaseMs,
      stalledInterval: leaseMs,
      maxStalledCount: checkWhole('maxRestarts', options.maxRestarts ?? 0, 0),
    },
  ).on('error', onConnectionError)
  return { close: () => worker.close() }
}
