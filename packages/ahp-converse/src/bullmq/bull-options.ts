import type { ConnectionOptions } from 'bullmq'
import { createFaultPrinter } from '../server/observe/fault-printer.js'
import type { Turn } from '../turn.js'

/** What the two ends of a queue have to agree on. */
export interface BullOptions {
  /** As BullMQ takes it. */
  readonly connection: ConnectionOptions
  /** Name of the queue: one for each kind of work. Default: `ahp-work`. */
  readonly name?: string
  /** Prefix of all keys in Redis. Default: that of BullMQ. */
  readonly prefix?: string
  /** Told of errors of the connection, which BullMQ repairs by itself. Default: prints a line of them, once a minute each. */
  readonly onConnectionError?: (error: unknown) => void
}

/** Where nobody listens. */
export function printConnectionErrors(): (error: unknown) => void {
  const print = createFaultPrinter()
  return (error) => {
    print(error, { stage: 'queue' })
  }
}

export const DEFAULT_NAME = 'ahp-work'

/** What a worker is given: JSON. */
export type BullTask = Omit<Turn, 'signal' | 'reportProgress'>
