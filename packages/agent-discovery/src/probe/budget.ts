import { parseRetryAfter } from '@doorplate/safe-fetch'

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
    const { maxRequests, deadlineMs } = this.#limits
    if (this.#requests >= maxRequests) return (this.#stopped ??= 'requests-exhausted')
    if (!this.hasBytes) return (this.#stopped ??= 'bytes-exhausted')
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

  /** Takes bytes of a body: as many as are wanted, or what is left. */
  takeBytes(wanted: number): number {
    const granted = Math.min(wanted, this.#limits.maxTotalBytes - this.#bytes)
    this.#bytes += granted
    if (granted < wanted) this.#stopped ??= 'bytes-exhausted'
    return granted
  }

  get hasBytes(): boolean {
    return this.#bytes < this.#limits.maxTotalBytes
  }

  /** Where a site asks to wait, nothing more is sent to it. */
  heed({ status, headers }: { readonly status: number; readonly headers: Headers }): void {
    const retryAfter = headers.get('retry-after')
    if (status !== 429 && !(status === 503 && retryAfter !== null)) return
    this.#stopped = 'rate-limited'
    const waitMs = retryAfter === null ? null : parseRetryAfter(retryAfter, Date.now())
    if (waitMs !== null && Number.isFinite(waitMs)) this.#retryAfterSeconds ??= Math.ceil(waitMs / 1000)
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
