import type { SafeFetch } from '@doorplate/safe-fetch'
import type { DemoTokens } from '../demo-tokens.js'

/** What the agent of the demonstration is told: where to go, and who it acts for. */
export interface VisitedSite {
  readonly origin: string
  readonly tokens: DemoTokens
  /** The authority behind its certificate, in PEM. */
  readonly ca: string
  /** Reaches the site, though it is on this machine, and no other private address. */
  readonly fetch: SafeFetch
}
