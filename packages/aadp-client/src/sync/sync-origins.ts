import {
  checkFunction,
  checkInteger,
  checkMembers,
  checkRecord,
  ifGiven,
  type MemberNames,
} from '../options/check-option.js'
import { InvalidOptionError } from '../errors.js'
import { createMemoryQueue } from '../queues/memory-queue.js'
import type { OriginQueue } from '../queues/origin-queue.js'
import { httpUrl } from '../documents/http-url.js'
import {
  SYNC_OPTIONS,
  syncEntities,
  type SyncEvent,
  type SyncOptions,
  type SyncSummary,
} from './sync-entities.js'

/** Options of `syncOrigins`, those of each sync included. */
export interface SyncOriginsOptions extends Omit<SyncOptions, 'budget'> {
  /** Where origins wait. Default: in this process. */
  readonly queue?: OriginQueue
  /** Origins under way at once in this process, each with its own `concurrency`. Default 4. */
  readonly originConcurrency?: number
  /** At most so many origins are begun in so many milliseconds, over all processes that share the queue. Default: no limit. */
  readonly rate?: { readonly max: number; readonly intervalMs: number }
  /** Told of each change; the next one waits for it. */
  readonly onEvent?: (origin: string, event: SyncEvent) => unknown
  /** Told how the sync of an origin ended. */
  readonly onEnd?: (end: OriginEnd) => unknown
}

const SYNC_ORIGINS_OPTIONS: MemberNames<SyncOriginsOptions> = {
  ...SYNC_OPTIONS,
  queue: true,
  originConcurrency: true,
  rate: true,
  onEvent: true,
  onEnd: true,
}

/** How the sync of one origin ended; with `error` when it failed. */
export interface OriginEnd {
  readonly origin: string
  readonly summary: SyncSummary
  readonly error?: unknown
}

/**
 * Syncs many sites, one job for each. Resolves when the queue is done: the one in this process when it is empty, a shared one when
 * the signal aborts, so that the same call with no origins is a worker. One site that fails does not keep the others.
 */
export async function syncOrigins(origins: Iterable<string>, options: SyncOriginsOptions): Promise<void> {
  checkMembers(options, SYNC_ORIGINS_OPTIONS)
  const { queue = createMemoryQueue(), originConcurrency, rate, onEvent, onEnd, ...syncOptions } = options
  checkFunction('queue', checkRecord('queue', queue)['process'])
  const concurrency = checkInteger('originConcurrency', originConcurrency ?? 4, { minimum: 1 })
  ifGiven(onEvent, (value) => checkFunction('onEvent', value))
  ifGiven(onEnd, (value) => checkFunction('onEnd', value))
  ifGiven(rate, checkRate)
  // Refuses what no site could be synced with before anything is queued; nothing is requested until it is iterated over.
  syncEntities('https://options.invalid', syncOptions)
  const wanted = Array.from(checkIterable('origins', origins), originOf)
  for (const origin of wanted) await queue.add(origin)
  const work = async (origin: string): Promise<void> => {
    const sync = syncEntities(origin, syncOptions)
    try {
      for await (const event of sync) await onEvent?.(origin, event)
    } catch (error) {
      await onEnd?.({ origin, summary: sync.summary, error })
      throw error
    }
    await onEnd?.({ origin, summary: sync.summary })
  }
  await queue.process(work, { concurrency, rate, signal: options.signal })
}

function checkRate(rate: NonNullable<SyncOriginsOptions['rate']>): void {
  checkMembers(rate, { max: true, intervalMs: true }, 'rate')
  checkInteger('rate.max', rate.max, { minimum: 1 })
  checkInteger('rate.intervalMs', rate.intervalMs, { minimum: 1 })
}

/** A text is no list of origins, although it can be iterated over. */
function checkIterable<Item>(option: string, value: Iterable<Item>): Iterable<Item> {
  if (!Array.isArray(value) && !(Symbol.iterator in checkRecord(option, value))) {
    throw new InvalidOptionError(option, 'a list of http(s) origins')
  }
  return value
}

function originOf(text: string): string {
  try {
    return httpUrl(text).origin
  } catch {
    throw new InvalidOptionError('origins', 'a list of http(s) origins')
  }
}
