import { checkMembers, storeOption, wholeOption } from '../state-options.js'
import type { SessionStore } from './session-store.js'

/** Limits and the store of sessions. */
export interface SessionOptions extends SessionLimits {
  /** For principals. Default: 30 turns, 1,800,000 ms (half an hour), 100,000 tokens. */
  readonly authenticated?: SessionLimits
  /** Sessions kept in memory. Default: 10,000. */
  readonly maxSessions?: number
  /** What they may take together, estimated. Default: 67,108,864 (64 MB). */
  readonly maxBytes?: number
  /** Default: the memory of the process. */
  readonly store?: SessionStore
}

/** How long a session is, and lasts. */
export interface SessionLimits {
  /** Default: 10. */
  readonly maxTurns?: number
  /** How long a session lasts without a turn. Default: 600,000 (10 minutes). */
  readonly idleMs?: number
  /** Tokens that the answers of one session may take; `Infinity` for any. Default: 20,000. */
  readonly tokenBudget?: number
}

export interface SessionSettings {
  readonly anonymous: Required<SessionLimits>
  readonly authenticated: Required<SessionLimits>
  readonly maxSessions: number
  readonly maxBytes: number
  readonly store: SessionStore | undefined
}

const ANONYMOUS = { maxTurns: 10, idleMs: 600_000, tokenBudget: 20_000 }
const AUTHENTICATED = { maxTurns: 30, idleMs: 1_800_000, tokenBudget: 100_000 }
const LIMITS: readonly (keyof SessionLimits)[] = ['maxTurns', 'idleMs', 'tokenBudget']
const MEMBERS: readonly (keyof SessionOptions)[] = [
  ...LIMITS,
  'authenticated',
  'maxSessions',
  'maxBytes',
  'store',
]

/** Throws `invalid_option`. */
export function readSessionOptions(options: SessionOptions): SessionSettings {
  checkMembers('sessions', options, MEMBERS)
  const { authenticated = {}, maxSessions, maxBytes, store } = options
  checkMembers('sessions.authenticated', authenticated, LIMITS)
  return {
    anonymous: readLimits('sessions', options, ANONYMOUS),
    authenticated: readLimits('sessions.authenticated', authenticated, AUTHENTICATED),
    maxSessions: wholeOption('sessions.maxSessions', maxSessions, 10_000),
    maxBytes: wholeOption('sessions.maxBytes', maxBytes, 67_108_864),
    store: storeOption('sessions.store', store, ['read', 'write']),
  }
}

function readLimits(
  option: string,
  limits: SessionLimits,
  defaults: Required<SessionLimits>,
): Required<SessionLimits> {
  const { maxTurns, idleMs, tokenBudget } = limits
  return {
    maxTurns: wholeOption(`${option}.maxTurns`, maxTurns, defaults.maxTurns),
    idleMs: wholeOption(`${option}.idleMs`, idleMs, defaults.idleMs),
    tokenBudget:
      tokenBudget === Infinity
        ? Infinity
        : wholeOption(`${option}.tokenBudget`, tokenBudget, defaults.tokenBudget),
  }
}
