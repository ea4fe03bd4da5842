import type { Rate } from './rate.js'

export type RateHeaders = Readonly<Record<string, string>>

export interface RateState {
  /** What is limited: `read`, `ask`, `action`, `credential`. */
  readonly name: string
  readonly rate: Rate
  readonly remaining: number
  /** Until the window ends, milliseconds. */
  readonly msBeforeNext: number
}

/** `X-RateLimit-*` of AHP 0.1, section 11.1. */
export function rateHeaders({ rate, remaining, msBeforeNext }: RateState, now: number): RateHeaders {
  return {
    'x-ratelimit-limit': String(rate.requests),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((now + msBeforeNext) / 1000)),
    'x-ratelimit-window': String(rate.windowSeconds),
  }
}

/** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10. */
export function standardRateHeaders({ name, rate, remaining, msBeforeNext }: RateState): RateHeaders {
  return {
    'ratelimit-policy': `"${name}";q=${rate.requests};w=${rate.windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${Math.ceil(msBeforeNext / 1000)}`,
  }
}
