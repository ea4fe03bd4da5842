import { checkFunction, checkInteger, checkMembers, type MemberNames } from './check-option.js'
import { AadpDiscoveryBudgetExceededError } from '../errors.js'

/** Limits of one run. Whole numbers; `Infinity` lifts a limit. */
export interface DiscoveryBudget {
  /** Sitemap pages to fetch. Default 10,000. */
  readonly maxPages?: number
  /** Entities to fetch. Default 100,000. */
  readonly maxEntities?: number
  /** Requests of every kind, retries included. Default `Infinity`. */
  readonly maxRequests?: number
  /** Decoded bytes of responses, counted as they come; those of responses that fail too. Default `Infinity`. */
  readonly maxTotalBytes?: number
  /** Milliseconds from the creation of the budget. Default 300,000. */
  readonly deadlineMs?: number
}

export const BUDGET_OPTIONS: MemberNames<DiscoveryBudget> = {
  maxPages: true,
  maxEntities: true,
  maxRequests: true,
  maxTotalBytes: true,
  deadlineMs: true,
}

/** The budget of one or several calls: its limits and what is spent. */
export interface DiscoveryBudgetState {
  readonly limits: Readonly<Required<DiscoveryBudget>>
  readonly startedAtMs: number
  readonly pagesFetched: number
  readonly entitiesFetched: number
  readonly requestsMade: number
  readonly bytesFetched: number
}

/** Creates a budget that several calls can share through their `budget` option. Throws `invalid_option`. */
export function createDiscoveryBudget(
  limits: DiscoveryBudget = {},
  options: { readonly now?: () => number } = {},
): DiscoveryBudgetState {
  checkMembers(limits, BUDGET_OPTIONS)
  checkMembers(options, { now: true })
  return new Budget(limits, checkFunction('now', options.now ?? Date.now))
}

export class Budget implements DiscoveryBudgetState {
  readonly limits: Readonly<Required<DiscoveryBudget>>
  readonly startedAtMs: number
  pagesFetched = 0
  entitiesFetched = 0
  requestsMade = 0
  bytesFetched = 0
  readonly #now: () => number

  constructor(limits: DiscoveryBudget, now: () => number) {
    this.limits = {
      maxPages: limit('maxPages', limits.maxPages ?? 10_000),
      maxEntities: limit('maxEntities', limits.maxEntities ?? 100_000),
      maxRequests: limit('maxRequests', limits.maxRequests ?? Infinity),
      maxTotalBytes: limit('maxTotalBytes', limits.maxTotalBytes ?? Infinity),
      deadlineMs: limit('deadlineMs', limits.deadlineMs ?? 300_000),
    }
    this.#now = now
    this.startedAtMs = now()
  }

  /** Charged before the fetch, like the two below. */
  chargePage(): void {
    if (this.pagesFetched >= this.limits.maxPages) throw this.exceeded('maxPages')
    this.pagesFetched++
  }

  chargeEntity(): void {
    if (this.entitiesFetched >= this.limits.maxEntities) throw this.exceeded('maxEntities')
    this.entitiesFetched++
  }

  chargeRequest(): void {
    if (this.requestsMade >= this.limits.maxRequests) throw this.exceeded('maxRequests')
    if (this.remainingBytes() <= 0) throw this.exceeded('maxTotalBytes')
    if (this.remainingMs() <= 0) throw this.exceeded('deadlineMs')
    this.requestsMade++
  }

  chargeBytes(count: number): void {
    this.bytesFetched += count
    if (this.bytesFetched > this.limits.maxTotalBytes) throw this.exceeded('maxTotalBytes')
  }

  remainingBytes(): number {
    return this.limits.maxTotalBytes - this.bytesFetched
  }

  remainingMs(): number {
    return this.startedAtMs + this.limits.deadlineMs - this.#now()
  }

  exceeded(limit: keyof DiscoveryBudget): AadpDiscoveryBudgetExceededError {
    return new AadpDiscoveryBudgetExceededError(limit, this.limits[limit])
  }
}

function limit(option: string, value: unknown): number {
  return checkInteger(option, value, { minimum: 1, infinity: true })
}
