import type { ConciergeConfig } from '@doorplate/ahp-converse/server'
import type { Settings } from '../settings/settings.js'
import type { State } from './open-state.js'

type Limited =
  | 'trustedProxies'
  | 'limits'
  | 'sessions'
  | 'cache'
  | 'jobs'
  | 'inbox'
  | 'maxRequestBytes'
  | 'maxAnswerTokens'
  | 'answerTimeoutMs'
  | 'maxConcurrentAnswers'

/** Where each limit of the settings belongs, and the store in which it is counted. */
export function conciergeLimits(settings: Settings, state: State): Pick<ConciergeConfig, Limited> {
  const { trustedProxies, maxRequestBytes, maxAnswerTokens, answerTimeoutMs, maxConcurrentAnswers } = settings
  return {
    ...{ trustedProxies, maxRequestBytes, maxAnswerTokens, answerTimeoutMs, maxConcurrentAnswers },
    limits: {
      unauthenticated: {
        read: settings.readLimit,
        ask: settings.askLimit,
        action: settings.actionLimit,
        credential: settings.credentialLimit,
      },
      authenticated: {
        read: settings.tokenReadLimit,
        ask: settings.tokenAskLimit,
        action: settings.tokenActionLimit,
      },
      maxKeys: settings.maxLimitKeys,
      ...storeOf(state.limits),
    },
    sessions: {
      maxTurns: settings.sessionMaxTurns,
      idleMs: settings.sessionIdleMs,
      tokenBudget: settings.sessionTokenBudget,
      authenticated: {
        maxTurns: settings.tokenSessionMaxTurns,
        idleMs: settings.tokenSessionIdleMs,
        tokenBudget: settings.tokenSessionTokenBudget,
      },
      maxSessions: settings.maxSessions,
      maxBytes: settings.maxSessionBytes,
      ...storeOf(state.sessions),
    },
    cache: {
      ttlMs: settings.answerCacheMs,
      ...(state.cache === undefined ? { maxBytes: settings.answerCacheBytes } : { store: state.cache }),
    },
    jobs: {
      maxJobs: settings.maxJobs,
      maxOpenJobsPerOwner: settings.maxOpenJobs,
      maxConcurrent: settings.maxConcurrentJobs,
      expireAfterMs: settings.jobExpireMs,
      retentionMs: settings.jobRetentionMs,
      leaseMs: settings.jobLeaseMs,
      ...storeOf(state.jobs),
    },
    inbox: { claimMs: settings.claimMs },
  }
}

function storeOf<Store>(store: Store | undefined): { readonly store?: Store } {
  return store === undefined ? {} : { store }
}
