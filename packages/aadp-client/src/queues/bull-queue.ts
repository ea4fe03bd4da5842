import { Queue, Worker, type ConnectionOptions } from 'bullmq'
import type { OriginQueue } from './origin-queue.js'

/** How origins wait in BullMQ: options of `createBullQueue`. */
export interface BullQueueOptions {
  /** As BullMQ takes it. */
  readonly connection: ConnectionOptions
  /** Name of the queue. Default `aadp-sync`. */
  readonly name?: string
  /** Prefix of all keys in Redis. Default: that of BullMQ. */
  readonly prefix?: string
  /** Told of errors of the connection, which BullMQ repairs by itself. Default: nobody. */
  readonly onConnectionError?: (error: Error) => void
}

export interface BullQueue extends OriginQueue {
  /** Closes the connection for `add`. */
  close(): Promise<void>
}

/**
 * A queue in Redis for many processes on many machines. An origin whose process was killed is taken up by another one. Needs the
 * package `bullmq`.
 */
export function createBullQueue(options: BullQueueOptions): BullQueue {
  const { connection, name = 'aadp-sync', prefix, onConnectionError = () => undefined } = options
  const shared = { connection, ...(prefix !== undefined && { prefix }) }
  const queue = new Queue<Job>(name, shared).on('error', onConnectionError)
  return {
    async add(origin) {
      const once = { deduplication: { id: origin }, removeOnComplete: true, removeOnFail: true }
      await queue.add('sync', { origin }, once)
    },
    async process(work, { concurrency, rate, signal }) {
      if (signal?.aborted === true) return
      const limiter = rate && { limiter: { max: rate.max, duration: rate.intervalMs } }
      const worker = new Worker<Job>(name, ({ data }) => work(data.origin), {
        ...shared,
        concurrency,
        ...limiter,
      })
      worker.on('error', onConnectionError)
      await new Promise<void>((resolve) =>
        signal?.addEventListener(
          'abort',
          () => {
            resolve()
          },
          { once: true },
        ),
      )
      await worker.close()
    },
    close: () => queue.close(),
  }
}

interface Job {
  readonly origin: string
}
