import { budgetExceeded, counted } from '@doorplate/conformance-kit'
import { ownMember } from '../own-member.js'
import type { Sleep } from '../sleep.js'
import type { Allowance } from './allowance.js'
import type { Reading } from './reading.js'

export interface PacerOptions {
  readonly now: () => number
  readonly sleep: Sleep
  readonly signal: AbortSignal
  /** Longest single wait. */
  readonly maxWaitMs: number
  /** Told of each wait as it begins, in milliseconds. */
  readonly onWait: (waitMs: number) => void
}

/**
 * Keeps the run within the limits of the site: as its header fields tell, as its refusals say and, where no header field
 * tells anything, as its manifest declares.
 */
export class Pacer {
  readonly #options: PacerOptions
  /** When each place may be asked again, by the clock of the run. */
  readonly #opensAtMs = new Map<string, number>()
  #declared: Allowance | undefined
  /** When questions were asked that no header field was told about, oldest first. */
  #untold: number[] = []

  constructor(options: PacerOptions) {
    this.#options = options
  }

  /** From now on; it is about questions alone. */
  keepTo(declared: Allowance | undefined): void {
    this.#declared = declared
  }

  /** @throws {ConformanceError} `budget_exceeded` when the site wants a longer rest than a run allows */
  async untilOpen(place: string): Promise<void> {
    const { now, sleep, signal, maxWaitMs, onWait } = this.#options
    const opensAtMs = Math.max(
      this.#opensAtMs.get(place) ?? 0,
      isQuestion(place) ? this.#declaredOpening() : 0,
    )
    const waitMs = Math.ceil(opensAtMs - now())
    if (waitMs <= 0) return
    if (waitMs > maxWaitMs) {
      const wanted = counted(Math.ceil(waitMs / 1_000), 'second')
      throw budgetExceeded(
        'rateLimit',
        `The site wants to be left alone for ${wanted}, longer than --max-wait.`,
      )
    }
    onWait(waitMs)
    await sleep(waitMs, signal)
    this.#opensAtMs.delete(place)
  }

  /** Notes what a response says about the next request; true when this one was refused and is worth another try. */
  note(place: string, reading: Reading): boolean {
    if (isQuestion(place)) this.#count(reading)
    const waitMs = reading.status === 429 ? refusedForMs(reading) : spentForMs(reading)
    if (waitMs === undefined) return false
    this.#opensAtMs.set(place, this.#options.now() + waitMs)
    return reading.status === 429
  }

  #count({ headers }: Reading): void {
    if (headers['x-ratelimit-remaining'] === undefined) this.#untold.push(this.#options.now())
    else this.#untold = []
  }

  #declaredOpening(): number {
    if (this.#declared === undefined) return 0
    const { requests, windowSeconds } = this.#declared
    this.#untold = this.#untold.slice(-requests)
    const oldest = this.#untold[0]
    return oldest === undefined || this.#untold.length < requests ? 0 : oldest + windowSeconds * 1_000
  }
}

/** Those that the limits of a manifest are about (specification, "Rate limits"). */
function isQuestion(place: string): boolean {
  return place === 'POST converse' || place === 'POST capability'
}

/** A refusal with `retry_after` null is not about time (specification, "Rate limits"). */
function refusedForMs({ headers, json }: Reading): number | undefined {
  const inBody = ownMember(json, 'retry_after')
  const scope = ownMember(json, 'scope')
  if (inBody === null && (scope === 'session' || scope === 'session_tokens')) return undefined
  const seconds = wholeNumber(headers['retry-after']) ?? (typeof inBody === 'number' ? inBody : undefined)
  return Math.max(1, seconds ?? 1) * 1_000
}

/** By the clock of the site, and never longer than its window. */
function spentForMs({ headers }: Reading): number | undefined {
  const reset = wholeNumber(headers['x-ratelimit-reset'])
  const window = wholeNumber(headers['x-ratelimit-window'])
  if (wholeNumber(headers['x-ratelimit-remaining']) !== 0 || reset === undefined) return undefined
  const siteTime = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(siteTime)) return undefined
  return Math.min(Math.max(0, reset * 1_000 - siteTime), (window ?? 60) * 1_000)
}

function wholeNumber(field: string | undefined): number | undefined {
  return field !== undefined && /^\d{1,12}$/.test(field) ? Number(field) : undefined
}
