import { mcpFace } from '@doorplate/ahp-converse/mcp'
import { openApiFace } from '@doorplate/ahp-converse/openapi'
import { defineConcierge, type Concierge, type RateLimitOptions } from '@doorplate/ahp-converse/server'
import type { DemoTokens } from '../demo-tokens.js'
import { CONVERSE, HEALTH, LLMS_TXT, MCP, OPENAPI } from '../routes.js'
import type { Limits } from '../settings.js'
import type { Shop } from '../shop/shop.js'
import { SITE } from '../site-facts.js'
import type { LibraryKnowledge } from './library-knowledge.js'
import type { State } from './open-state.js'
import { shopCapabilities } from './shop-capabilities.js'
import { siteCapabilities } from './site-capabilities.js'
import { createVerifier } from './visitors.js'

export interface ConciergeParts {
  readonly origin: string
  readonly knowledge: LibraryKnowledge
  /** Absent: nothing of the shop can be asked. */
  readonly shop: Shop | undefined
  readonly state: State
  readonly tokens: DemoTokens
  readonly limits: Limits
  readonly now: () => number
  /** Takes one line about a fault. */
  readonly log: (line: string) => void
}

/** Who answers here: over AHP, MCP and OpenAPI, all by one declaration. */
export function defineSiteConcierge(parts: ConciergeParts): Concierge {
  const { origin, knowledge, shop, state, tokens, limits, now, log } = parts
  return defineConcierge({
    name: SITE.name,
    description: SITE.description,
    publicUrl: origin,
    contentSignals: SITE.contentSignals,
    knowledge,
    capabilities: {
      ...siteCapabilities(knowledge),
      ...(shop === undefined ? {} : shopCapabilities(shop, { now })),
    },
    paths: { converse: CONVERSE, content: LLMS_TXT },
    faces: [mcpFace({ path: MCP }), openApiFace({ path: OPENAPI })],
    verify: createVerifier(tokens),
    limits: rateLimits(limits, state),
    ...(state.sessions === undefined ? {} : { sessions: { store: state.sessions } }),
    ...(state.cache === undefined ? {} : { cache: { store: state.cache } }),
    ...(state.jobs === undefined ? {} : { jobs: { store: state.jobs } }),
    health: { readyPath: HEALTH, livePath: `${HEALTH}/live` },
    now,
    onError: (error, { stage, capability = 'no capability', requestId = 'none' }) => {
      log(`${stage} failed (${capability}, request ${requestId}): ${String(error)}`)
    },
  })
}

function rateLimits({ read, ask, action }: Limits, { limits: store }: State): RateLimitOptions {
  const rates = {
    ...(read === undefined ? {} : { read }),
    ...(ask === undefined ? {} : { ask }),
    ...(action === undefined ? {} : { action }),
  }
  return { unauthenticated: rates, authenticated: rates, ...(store === undefined ? {} : { store }) }
}
