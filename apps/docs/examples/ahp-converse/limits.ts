import { defineConcierge } from '@doorplate/ahp-converse/server'
import { site } from './concierge-options.js'

// #region limits
export const concierge = defineConcierge({
  ...site,
  trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
  limits: { unauthenticated: { ask: '30/minute' }, authenticated: { ask: '120/minute' } },
  sessions: { maxTurns: 10, idleMs: 600_000, tokenBudget: 20_000 },
  cache: { ttlMs: 300_000 },
})
// #endregion limits
