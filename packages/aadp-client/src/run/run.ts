import { setMaxListeners } from 'node:events'
import type { AadpVersion } from '@doorplate/aadp-schemas'
import { Budget, BUDGET_OPTIONS, type DiscoveryBudget } from '../options/budget.js'
import { checkBoolean, checkInteger, checkTexts, ifGiven, type MemberNames } from '../options/check-option.js'
import { CLIENT_OPTIONS, resolveClientOptions, type ClientOptions } from '../options/client-options.js'
import { AadpIntegrityMismatchError, InvalidOptionError } from '../errors.js'
import { manifestUrl } from '../reading/fetch-document.js'
import { IssueLog, type OnError } from './issue-log.js'
import { Reader } from '../reading/reader.js'
import type { Ending } from '../pool/result-queue.js'
import { isBudgetError, summarise, type RunSummary } from './run-summary.js'
import { SiteListing, type ListedItem, type ListingSource } from './site-listing.js'
import type { TransportResponse } from '../transport/transport.js'
import type { DocumentTypes, Wire } from '../documents/wire.js'
import { WorkPool } from '../pool/work-pool.js'
import type { Outcome } from '../pool/work-pool-options.js'

/** Options of everything that reads a whole site. */
export interface WalkOptions extends ClientOptions, DiscoveryBudget {
  /** Requests in flight, pages and entities together. Default 4. */
  readonly concurrency?: number
  /** Whether results come in the order of the site's lists, or as they arrive. Default true. */
  readonly ordered?: boolean
  /** Only entities of these types. Default: all. */
  readonly types?: readonly string[]
  /** The longest sitemap index that is read. Default 1,000. */
  readonly maxSitemaps?: number
  /** What an unusable document does. Default `'throw'`. */
  readonly onError?: OnError
}

export const WALK_OPTIONS: MemberNames<WalkOptions> = {
  ...CLIENT_OPTIONS,
  ...BUDGET_OPTIONS,
  concurrency: true,
  ordered: true,
  types: true,
  maxSitemaps: true,
  onError: true,
}

/** What a kind of run does with what the site lists. */
export interface RunWork<V extends AadpVersion, Task, Result> {
  /** Where lists come from. */
  source(reader: Reader<V>): ListingSource<V>
  /** What of a batch of listed entities is work to do. */
  select(listed: readonly ListedItem[]): Promise<readonly Task[]> | readonly Task[]
  /** The entity that a task is about. */
  listed(task: Task): ListedItem
  /** What is delivered when it was read. */
  result(task: Task, entity: DocumentTypes[V]['entity']): Result
}

/** Entities read ahead for each place of the concurrency: so many that one slow entity seldom holds up the others. */
const READ_AHEAD = 16
/** Parsed entities take up to twenty times what they had on the wire. */
const READ_AHEAD_BYTES = 16 * 1024 * 1024

/** One pass over a site: reader, budget, issues and the pool that works through what the site lists. */
export class Run<V extends AadpVersion, Task, Result> {
  readonly results: WorkPool<Task, TransportResponse, Result, RunSummary>
  readonly listing: SiteListing<V>
  readonly log: IssueLog
  readonly now: () => number
  readonly #reader: Reader<V>
  readonly #budget: Budget
  readonly #signal: AbortSignal | undefined
  readonly #stop = new AbortController()
  readonly #throws: boolean
  #entities = 0
  #outcome: Outcome | undefined

  constructor(wire: Wire<V>, origin: string, options: WalkOptions, work: RunWork<V, Task, Result>) {
    const resolved = resolveClientOptions(options, WALK_OPTIONS)
    const { concurrency, ordered, types, maxSitemaps, onError } = resolveWalkOptions(options)
    this.now = resolved.now
    setMaxListeners(0, this.#stop.signal) // one listener for each request in flight
    this.#signal = resolved.signal
    this.#throws = onError === 'throw'
    this.#budget = resolved.budget ?? new Budget(options, resolved.now)
    this.log = new IssueLog(onError)
    const start = manifestUrl(origin)
    this.#reader = new Reader(wire, start, { ...resolved, budget: this.#budget, signal: this.#stop.signal })
    this.listing = new SiteListing({
      wire,
      source: work.source(this.#reader),
      budget: this.#budget,
      log: this.log,
      types,
      schemes: Object.keys(resolved.credentials),
      maxSitemaps,
    })
    this.results = new WorkPool({
      concurrency,
      ordered,
      readAhead: concurrency * READ_AHEAD,
      readAheadBytes: READ_AHEAD_BYTES,
      open: async () => {
        this.#signal?.throwIfAborted()
        this.#signal?.addEventListener('abort', this.#abort, { once: true })
        const lanes = await this.listing.open(origin)
        return lanes.map((lane) => ({
          next: async () => {
            const listed = await lane.next()
            return listed && work.select(listed)
          },
        }))
      },
      request: (task) => this.#request(work.listed(task)),
      read: (task, response) => work.result(task, this.#read(work.listed(task), response)),
      weigh: ({ body }) => body.byteLength,
      leaveOut: (task, error) => {
        const { url, id } = work.listed(task).item
        this.log.fail(error, { document: 'entity', url, id })
      },
      drains: isBudgetError,
      // Without a reason: what is in flight must not seem to have failed with the error that ended the run.
      abort: () => {
        this.#stop.abort()
      },
      finish: (error) => this.#finish(error),
    })
  }

  get summary(): RunSummary {
    const progress = {
      budget: this.#budget,
      log: this.log,
      entities: this.#entities,
      announced: this.listing.announced,
      nowMs: this.now(),
    }
    return summarise(
      progress,
      this.#outcome,
      this.#signal?.aborted === true && this.#outcome?.kind === 'failed',
    )
  }

  #request({ item, scheme }: ListedItem): Promise<TransportResponse> {
    this.#budget.chargeEntity()
    return this.#reader.get('entity', item.url, { scheme })
  }

  #read({ item, type }: ListedItem, response: TransportResponse): DocumentTypes[V]['entity'] {
    const entity = this.#reader.read('entity', response, item.url)
    requireAgreement(item.url, 'id', item.id, entity.id)
    requireAgreement(item.url, 'type', type, entity.type)
    requireAgreement(item.url, 'checksum', item.checksum, entity.checksum)
    this.#entities++
    return entity
  }

  readonly #abort = (): void => {
    this.results.stop({ kind: 'failed', error: this.#signal?.reason })
  }

  #finish(outcome: Outcome): Ending<RunSummary> {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#outcome = outcome
    const { summary } = this
    const endsQuietly = outcome.kind !== 'failed' || (isBudgetError(outcome.error) && !this.#throws)
    return endsQuietly ? { summary } : { summary, failure: outcome }
  }
}

function requireAgreement(
  url: string,
  field: 'id' | 'type' | 'checksum',
  expected: string,
  actual: string,
): void {
  if (actual !== expected) throw new AadpIntegrityMismatchError(url, field, expected, actual)
}

function resolveWalkOptions(options: WalkOptions): Required<
  Pick<WalkOptions, 'concurrency' | 'ordered' | 'maxSitemaps' | 'onError'>
> & {
  readonly types: readonly string[] | undefined
} {
  const { types, onError = 'throw' } = options
  if (onError !== 'throw' && onError !== 'skip' && typeof onError !== 'function') {
    throw new InvalidOptionError('onError', '"throw", "skip" or a function')
  }
  return {
    concurrency: checkInteger('concurrency', options.concurrency ?? 4, { minimum: 1 }),
    ordered: checkBoolean('ordered', options.ordered ?? true),
    maxSitemaps: checkInteger('maxSitemaps', options.maxSitemaps ?? 1_000, { minimum: 0, infinity: true }),
    types: ifGiven(types, (value) => checkTexts('types', value)),
    onError,
  }
}
