import { mcpFace } from '@doorplate/ahp-converse/mcp'
import { openApiFace } from '@doorplate/ahp-converse/openapi'
import { defineConcierge, type Concierge, type Logger, type Observer } from '@doorplate/ahp-converse/server'
import type { DemoTokens } from '../demo-tokens.js'
import { CONVERSE, HEALTH, LLMS_TXT, MCP, OPENAPI } from '../routes.js'
import type { Settings } from '../settings/settings.js'
import type { Shop } from '../shop/shop.js'
import { SITE } from '../site-facts.js'
import type { Carrier } from './carrier.js'
import { conciergeLimits } from './concierge-limits.js'
import type { LibraryKnowledge } from './library-knowledge.js'
import type { State } from './open-state.js'
import type { PostedResults } from './posted-results.js'
import { shopCapabilities } from './shop-capabilities.js'
import { siteCapabilities } from './site-capabilities.js'
import { createVerifier } from './visitors.js'

export interface ConciergeParts {
  readonly origin: string
  readonly knowledge: LibraryKnowledge
  /** Absent: nothing of the shop can be asked. */
  readonly shop: Shop | undefined
  /** Absent: parcels are not followed. */
  readonly carrier: Carrier | undefined
  /** Absent: visitors poll. */
  readonly callbacks: PostedResults | undefined
  readonly state: State
  readonly tokens: DemoTokens
  readonly settings: Settings
  readonly now: () => number
  readonly logger: Logger
  readonly observe: Observer
}

/** Who answers here: over AHP, MCP and OpenAPI, all by one declaration. */
export function defineSiteConcierge(parts: ConciergeParts): Concierge {
  const { origin, knowledge, shop, carrier, callbacks, state, tokens, settings, now, logger, observe } = parts
  return defineConcierge({
    name: SITE.name,
    description: SITE.description,
    publicUrl: origin,
    contentSignals: SITE.contentSignals,
    knowledge,
    capabilities: {
      ...siteCapabilities(knowledge),
      ...(shop === undefined ? {} : shopCapabilities(shop, { carrier, now })),
    },
    paths: { converse: CONVERSE, content: LLMS_TXT },
    faces: [
      mcpFace({ path: MCP, maxRequestBytes: settings.maxMcpRequestBytes }),
      openApiFace({ path: OPENAPI }),
    ],
    verify: createVerifier(tokens),
    ...conciergeLimits(settings, state),
    ...(callbacks === undefined ? {} : { callbacks: callbacks.options }),
    health: { readyPath: HEALTH, livePath: `${HEALTH}/live` },
    now,
    logger,
    observe,
  })
}
