import type { SafeFetchErrorCode } from '../errors.js'
import { isSafeFetchError } from '../errors.js'
import type { Hop } from './hop.js'
import { parseRetryAfter } from './retry-after.js'
import type { RetryPolicy } from '../options/retry-options.js'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const RETRY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])
const RETRY_CODES: ReadonlySet<SafeFetchErrorCode> = new Set([
  'attempt_timeout',
  'connect_timeout',
  'dns_failed',
  'network_error',
  'truncated_response',
])

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
