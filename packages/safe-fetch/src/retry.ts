import type { SafeFetchErrorCode } from './errors.js'
import { isSafeFetchError } from './errors.js'
import type { Hop } from './hop.js'
import type { Lifetime } from './lifetime.js'
import { parseRetryAfter } from './retry-after.js'
import { integerOption, knownMembers, MAX_TIMER_MS } from './validate-option.js'

export interface RetryOptions {
  /** Attempts in all, the first included. Default 3. */
  readonly maxAttempts?: number
  /** The ceiling of the first delay; it doubles with each attempt. Default 250. */
  readonly baseDelayMs?: number
  /** No delay is longer. A `Retry-After` that asks for more is not waited for: the response is returned. Default 10 000. */
  readonly maxDelayMs?: number
  /** Time limit of one attempt, from connecting to the headers of the final response. Default: only `timeoutMs` counts. */
  readonly attemptTimeoutMs?: number
}

export interface RetryPolicy {
  readonly maxAttempts: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  readonly attemptTimeoutMs: number | undefined
}

const NO_RETRY: RetryPolicy = {
  maxAttempts: 1,
  baseDelayMs: 0,
  maxDelayMs: 0,
  attemptTimeoutMs: undefined,
}

const MEMBERS: ReadonlySet<string> = new Set(['maxAttempts', 'baseDelayMs', 'maxDelayMs', 'attemptTimeoutMs'])
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const RETRY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])
const RETRY_CODES: ReadonlySet<SafeFetchErrorCode> = new Set([
  'attempt_timeout',
  'connect_timeout',
  'dns_failed',
  'network_error',
  'truncated_response',
])

export function parseRetry(options: RetryOptions | undefined): RetryPolicy {
  if (options === undefined) return NO_RETRY
  knownMembers('retry', options, MEMBERS)
  return {
    maxAttempts: integerOption('retry.maxAttempts', options.maxAttempts, 3, 1),
    baseDelayMs: integerOption('retry.baseDelayMs', options.baseDelayMs, 250, 0, MAX_TIMER_MS),
    maxDelayMs: integerOption('retry.maxDelayMs', options.maxDelayMs, 10_000, 0, MAX_TIMER_MS),
    attemptTimeoutMs: integerOption(
      'retry.attemptTimeoutMs',
      options.attemptTimeoutMs,
      undefined,
      1,
      MAX_TIMER_MS,
    ),
  }
}

/** What an attempt came to: a response, or the error it failed with. */
export type AttemptOutcome = { readonly hop: Hop } | { readonly error: unknown }

interface RetryQuestion {
  readonly method: string
  /** Counted from 1. */
  readonly attempt: number
  readonly remainingMs: number
  readonly now: () => number
  readonly random: () => number
}

/**
 * How long to wait before the next attempt, or null for none. Exponential with full jitter; a `Retry-After` makes it
 * longer, never shorter, and one that exceeds `maxDelayMs` or the deadline ends the attempts.
 */
export function retryDelay(
  outcome: AttemptOutcome,
  retry: RetryPolicy,
  question: RetryQuestion,
): number | null {
  const { method, attempt, remainingMs, now, random } = question
  if (attempt >= retry.maxAttempts || !SAFE_METHODS.has(method) || !isTransient(outcome)) return null
  const ceilingMs = Math.min(retry.baseDelayMs * 2 ** (attempt - 1), retry.maxDelayMs)
  const delayMs = Math.max(random() * ceilingMs, retryAfterMs(outcome, now) ?? 0)
  return delayMs <= retry.maxDelayMs && delayMs < remainingMs ? delayMs : null
}

/** Waits, unless the life ends first; then rejects with its reason. */
export function sleep(delayMs: number, lifetime: Lifetime): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      lifetime.unwatch(stop)
      resolve()
    }, delayMs)
    function stop(reason: unknown): void {
      clearTimeout(timer)
      // An abort may have any reason.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(reason)
    }
    lifetime.watch(stop)
  })
}

function isTransient(outcome: AttemptOutcome): boolean {
  return 'hop' in outcome
    ? RETRY_STATUSES.has(outcome.hop.status)
    : isSafeFetchError(outcome.error) && RETRY_CODES.has(outcome.error.code)
}

function retryAfterMs(outcome: AttemptOutcome, now: () => number): number | null {
  if (!('hop' in outcome) || !Object.hasOwn(outcome.hop.headers, 'retry-after')) return null
  const value = outcome.hop.headers['retry-after']
  return typeof value === 'string' ? parseRetryAfter(value, now()) : null
}
