import { andThen, type Awaitable } from '../awaitable.js'
import { addressBucket } from './address-bucket.js'
import type { Rate, RateText } from './rate.js'
import { rateHeaders, standardRateHeaders, type RateHeaders, type RateState } from './rate-headers.js'
import { readRateLimitOptions, type RateLimitOptions } from './rate-limit-options.js'
import { createMemoryRateStore, type RateCount, type RateStore } from './rate-store.js'
import type { RateTier } from './rate-tier.js'

/** Whose requests are counted. */
export interface RateCaller {
  readonly address: string
  /** The id of a verified principal: then its requests count for itself, wherever they come from. */
  readonly principal?: string | undefined
  /** An agent that has signed the request: it counts for itself too, unless there is a principal. */
  readonly verifiedAgent?: string | undefined
  /** What an anonymous caller says it is. */
  readonly agent?: string | undefined
}

export type RateVerdict = Admission | RateRefusal

export interface Admission {
  readonly allowed: true
  /** Requests that are left after this one, of the limit of the caller. */
  readonly remaining: number
  /** For every response, whatever becomes of the request. Those of the limit that has the least left. */
  readonly headers: RateHeaders
}

export interface RateRefusal {
  readonly allowed: false
  /** With `Retry-After`. */
  readonly headers: RateHeaders
  /** Absent for a principal: the protocol has no word for it. */
  readonly scope?: 'ip' | 'agent'
  readonly retryAfterSeconds: number
}

export interface RateLimits {
  /** For `rate_limits` of the manifest. */
  readonly declared: {
    readonly unauthenticated: { readonly requests: RateText }
    readonly authenticated: { readonly requests: RateText }
  }
  /** Counts one request. A refused one counts too, but makes nobody wait longer. */
  take(caller: RateCaller, tier: RateTier): Awaitable<RateVerdict>
  /** What `take` would say, without counting. */
  peek(caller: RateCaller, tier: RateTier): Awaitable<RateVerdict>
}

export interface RateLimitContext {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Told when the store fails. Requests then count in this process, so that a limit is still a limit. */
  readonly onStoreError?: (error: unknown) => void
}

/** A limit that one request counts against. */
interface Bucket {
  readonly tier: RateTier
  readonly key: string
  readonly rate: Rate
  readonly scope?: 'ip' | 'agent'
  readonly store: RateStore
}

type Count = (bucket: Bucket) => Awaitable<RateCount>

/** Throws `invalid_option`. */
export function createRateLimits(
  options: RateLimitOptions,
  { now, onStoreError }: RateLimitContext,
): RateLimits {
  const { unauthenticated, authenticated, agent, maxKeys, store, standardHeaders, declared } =
    readRateLimitOptions(options)
  const local = createMemoryRateStore({ maxKeys, now })
  /** Callers choose the names of agents: many of them must not push out the counts of addresses. */
  const localAgents = agent === undefined ? local : createMemoryRateStore({ maxKeys, now })

  function callerBucket({ principal, verifiedAgent, address }: RateCaller, tier: RateTier): Bucket {
    if (principal !== undefined) {
      return { tier, key: `key|${tier}|${principal}`, rate: authenticated[tier], store: local }
    }
    if (verifiedAgent !== undefined && tier !== 'credential') {
      return { tier, key: `signed|${tier}|${verifiedAgent}`, rate: authenticated[tier], store: local }
    }
    const key = `ip|${tier}|${addressBucket(address)}`
    return { tier, key, rate: unauthenticated[tier], scope: 'ip', store: local }
  }

  function agentBucket(caller: RateCaller, tier: RateTier): Bucket | undefined {
    if (agent === undefined || caller.agent === undefined) return undefined
    if (caller.principal !== undefined || caller.verifiedAgent !== undefined || tier !== 'ask')
      return undefined
    const key = `agent|${addressBucket(caller.address)}|${caller.agent}`
    return { tier, key, rate: agent, scope: 'agent', store: localAgents }
  }

  function inStore<Result>(bucket: Bucket, step: (store: RateStore) => Awaitable<Result>): Awaitable<Result> {
    return store === undefined ? step(bucket.store) : inSharedStore(store, bucket, step)
  }

  async function inSharedStore<Result>(
    shared: RateStore,
    bucket: Bucket,
    step: (store: RateStore) => Awaitable<Result>,
  ): Promise<Result> {
    try {
      return await step(shared)
    } catch (error) {
      onStoreError?.(error)
      return step(bucket.store)
    }
  }

  function judge(caller: RateCaller, tier: RateTier, count: Count): Awaitable<RateVerdict> {
    const own = callerBucket(caller, tier)
    return andThen(count(own), (counted) => {
      const state = stateOf(own, counted)
      if (state.remaining < 0) return refusal(own, state)
      const named = agentBucket(caller, tier)
      if (named === undefined) return admission(state, state)
      return andThen(count(named), (countedNamed) => {
        const namedState = stateOf(named, countedNamed)
        if (namedState.remaining < 0) return refusal(named, namedState)
        return admission(state, namedState.remaining < state.remaining ? namedState : state)
      })
    })
  }

  function admission({ remaining }: RateState, shown: RateState): Admission {
    return { allowed: true, remaining, headers: headersOf(shown) }
  }

  function refusal({ scope }: Bucket, state: RateState): RateRefusal {
    const retryAfterSeconds = Math.max(Math.ceil(state.msBeforeNext / 1000), 1)
    const headers = { ...headersOf({ ...state, remaining: 0 }), 'retry-after': String(retryAfterSeconds) }
    return { allowed: false, headers, retryAfterSeconds, ...(scope && { scope }) }
  }

  function headersOf(state: RateState): RateHeaders {
    const headers = rateHeaders(state, now())
    return standardHeaders ? { ...headers, ...standardRateHeaders(state) } : headers
  }

  return {
    declared,
    take: (caller, tier) =>
      judge(caller, tier, (bucket) =>
        inStore(bucket, (counts) =>
          counts.penalty(bucket.key, 1, { customDuration: bucket.rate.windowSeconds }),
        ),
      ),
    peek: (caller, tier) =>
      judge(caller, tier, (bucket) =>
        andThen(
          inStore(bucket, (counts) => counts.get(bucket.key)),
          (count) =>
            // One more than was counted, as if this request were.
            count === null
              ? { consumedPoints: 1, msBeforeNext: bucket.rate.windowSeconds * 1000 }
              : { ...count, consumedPoints: count.consumedPoints + 1 },
        ),
      ),
  }
}

function stateOf({ tier, rate }: Bucket, { consumedPoints, msBeforeNext }: RateCount): RateState {
  return { name: tier, rate, remaining: rate.requests - consumedPoints, msBeforeNext }
}
