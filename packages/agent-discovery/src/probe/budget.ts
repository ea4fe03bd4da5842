/** What may be spent on one origin's examination, and what was. */
export interface BudgetReport {
  readonly requests: number
  readonly maxRequests: number
  readonly bytes: number
  readonly maxTotalBytes: number
  readonly elapsedMs: number
  readonly deadlineMs: number
  /** Why no more was asked: the site asked to wait, or something ran out. */
  readonly stopped?: StopReason
  /** Seconds that the site asked to wait, if it did. */
  readonly retryAfterSeconds?: number
}

/** Why a run ended before everything was asked for. */
export type StopReason = 'rate-limited' | 'requests-exhausted' | 'bytes-exhausted' | 'deadline'

export interface BudgetLimits {
  readonly maxRequests: number
  readonly maxTotalBytes: number
  readonly deadlineMs: number
  readonly now: () => number
}

export class Budget {
  readonly #limits: BudgetLimits
  readonly #startedAt: number
  #requests = 0
  #bytes = 0
  #stopped: StopReason | undefined
  #retryAfterSeconds: number | undefined

  constructor(limits: BudgetLimits) {
    this.#limits = limits
    this.#startedAt = limits.now()
  }

  /** Takes one request; undefined if it may be sent, else why not. */
  takeRequest(): StopReason | undefined {
    if (this.#stopped === 'rate-limited') return this.#stopped
    const { maxRequests, maxTotalBytes, deadlineMs } = this.#limits
    if (this.#requests >= maxRequests) return (this.#stopped ??= 'requests-exhausted')
    if (this.#bytes >= maxTotalBytes) return (this.#stopped ??= 'bytes-exhausted')
    if (this.elapsedMs >= deadlineMs) return (this.#stopped ??= 'deadline')
    this.#requests++
    return undefined
  }

  get elapsedMs(): number {
    return this.#limits.now() - this.#startedAt
  }

  get remainingMs(): number {
    return Math.max(1, this.#limits.deadlineMs - this.elapsedMs)
  }

  get remainingBytes(): number {
    return Math.max(0, this.#limits.maxTotalBytes - this.#bytes)
  }

  addBytes(count: number): void {
    this.#bytes += count
  }

  /** The site asked to wait: nothing more is sent to it. */
  rateLimited(retryAfterSeconds: number | undefined): void {
    this.#stopped = 'rate-limited'
    this.#retryAfterSeconds ??= retryAfterSeconds
  }

  report(): BudgetReport {
    const { maxRequests, maxTotalBytes, deadlineMs } = this.#limits
    return {
      requests: this.#requests,
      maxRequests,
      bytes: this.#bytes,
      maxTotalBytes,
      elapsedMs: this.elapsedMs,
      deadlineMs,
      ...(this.#stopped && { stopped: this.#stopped }),
      ...(this.#retryAfterSeconds !== undefined && { retryAfterSeconds: this.#retryAfterSeconds }),
    }
  }
}
