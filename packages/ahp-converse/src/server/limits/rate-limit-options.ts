import { invalidOption } from '../../converse-error.js'
import { checkMembers, storeOption, wholeOption } from '../state-options.js'
import { readRate, slowerRate, type Rate, type RateText } from './rate.js'
import type { RateStore } from './rate-store.js'
import type { RateTier } from './rate-tier.js'

/** How often one caller may ask. */
export interface RateLimitOptions {
  /** Per address. Default: read 120/minute, ask 30/minute, action 10/minute, credential 10/minute. */
  readonly unauthenticated?: TierRates
  /** Per principal. Default: read 120/minute, ask 120/minute, action 30/minute. */
  readonly authenticated?: Omit<TierRates, 'credential'>
  /** Questions per name of an agent, within the limit of its address: names are claims. Default: none. */
  readonly agent?: RateText
  /** Windows kept in memory, of addresses and of agents each. Default: 100,000. */
  readonly maxKeys?: number
  /** Shared by the processes of a site: any limiter of `rate-limiter-flexible`. Default: the memory of the process. */
  readonly store?: RateStore
  /** Whether to send `RateLimit` and `RateLimit-Policy` besides. Default: false. */
  readonly standardHeaders?: boolean
}

/** Rates by what is asked for, such as `{ ask: '30/minute' }`. */
export type TierRates = Partial<Readonly<Record<RateTier, RateText>>>

export interface RateLimitSettings {
  readonly unauthenticated: Readonly<Record<RateTier, Rate>>
  readonly authenticated: Readonly<Record<RateTier, Rate>>
  readonly agent: Rate | undefined
  readonly maxKeys: number
  readonly store: RateStore | undefined
  readonly standardHeaders: boolean
  readonly declared: {
    readonly unauthenticated: { readonly requests: RateText }
    readonly authenticated: { readonly requests: RateText }
  }
}

const UNAUTHENTICATED = {
  read: '120/minute',
  ask: '30/minute',
  action: '10/minute',
  credential: '10/minute',
} as const
const AUTHENTICATED = { ...UNAUTHENTICATED, ask: '120/minute', action: '30/minute' } as const
const TIERS: readonly RateTier[] = ['read', 'ask', 'action', 'credential']
const MEMBERS: readonly (keyof RateLimitOptions)[] = [
  'unauthenticated',
  'authenticated',
  'agent',
  'maxKeys',
  'store',
  'standardHeaders',
]

/** Throws `invalid_option`. */
export function readRateLimitOptions(options: RateLimitOptions): RateLimitSettings {
  checkMembers('limits', options, MEMBERS)
  const { unauthenticated, authenticated, agent, maxKeys, store, standardHeaders = false } = options
  const anonymous = readTiers('limits.unauthenticated', unauthenticated, UNAUTHENTICATED, TIERS)
  const known = readTiers('limits.authenticated', authenticated, AUTHENTICATED, TIERS.slice(0, 3))
  const named = agent === undefined ? undefined : readRate('limits.agent', agent)
  if (typeof standardHeaders !== 'boolean')
    throw invalidOption('limits.standardHeaders', 'must be true or false')
  return {
    unauthenticated: anonymous,
    authenticated: known,
    agent: named,
    maxKeys: wholeOption('limits.maxKeys', maxKeys, 100_000),
    store: storeOption('limits.store', store, ['penalty', 'get']),
    standardHeaders,
    declared: {
      // An agent that says its name must be able to rely on it too.
      unauthenticated: { requests: (named ? slowerRate(named, anonymous.ask) : anonymous.ask).text },
      authenticated: { requests: known.ask.text },
    },
  }
}

function readTiers(
  option: string,
  rates: TierRates = {},
  defaults: Readonly<Record<RateTier, RateText>>,
  tiers: readonly RateTier[],
): Readonly<Record<RateTier, Rate>> {
  checkMembers(option, rates, tiers)
  const read = (tier: RateTier): Rate => readRate(`${option}.${tier}`, rates[tier] ?? defaults[tier])
  return { read: read('read'), ask: read('ask'), action: read('action'), credential: read('credential') }
}
