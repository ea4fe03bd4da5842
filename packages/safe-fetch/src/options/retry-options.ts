import { integerOption, ownMembers, MAX_TIMER_MS } from './validate-option.js'

/** How requests are tried again. */
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

export function parseRetry(given: RetryOptions | undefined): RetryPolicy {
  if (given === undefined) return NO_RETRY
  const options = ownMembers('retry', given, MEMBERS)
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
