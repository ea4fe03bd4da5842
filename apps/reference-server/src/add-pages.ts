import type { AadpServer } from '@doorplate/aadp-server'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { createAskSite } from './ask/ask-site.js'
import { createCatalogue } from './catalogue/catalogue.js'
import { createCatalogueSite } from './catalogue/catalogue-site.js'
import type { State } from './concierge/open-state.js'
import type { DemoTokens } from './demo-tokens.js'
import { createMemoryInspectionStore, createSharedInspectionStore } from './inspector/inspection-store.js'
import { createInspectorSite } from './inspector/inspector-site.js'
import { createInspector } from './inspector/inspector.js'
import { ownKeys } from './inspector/own-keys.js'
import type { Library } from './library.js'
import { OWN_REQUEST, ownRequestProof } from './own-requests.js'
import { HOME } from './routes.js'
import { HTML, keptResponse } from './site-response.js'
import { createAddressReader } from './site-env.js'
import type { Settings } from './settings/settings.js'
import type { Site } from './site.js'
import { createHomeExchanges } from './pages/home-exchanges.js'
import { homePage } from './pages/home-page.js'

export interface PagesParts {
  readonly aadp: AadpServer
  readonly concierge: Concierge
  readonly library: Library
  readonly state: State
  readonly origin: string
  /** Of this server, in PEM, where it speaks https itself. */
  readonly certificate: () => string | undefined
  readonly tokens: DemoTokens
  readonly settings: Pick<Settings, 'trustedProxies' | 'inspectLimit' | 'maxInspections'>
  readonly now: () => number
  readonly log: (line: string) => void
}

/** Adds the pages that show what agents are given here; closing ends what they have begun. */
export function addPages(site: Site, parts: PagesParts): { close(): Promise<void> } {
  const { aadp, concierge, library, state, origin, certificate, tokens, settings, now, log } = parts
  const inspector = createInspector({
    ...{ origin, certificate, now, log, counts: state.limits },
    headers: { [OWN_REQUEST]: ownRequestProof(tokens) },
    keys: ownKeys(tokens, { offered: (concierge.manifest.capabilities ?? []).map(({ name }) => name) }),
    ...{ rate: settings.inspectLimit, maxRunning: settings.maxInspections },
    store: state.cache ? createSharedInspectionStore(state.cache) : createMemoryInspectionStore(),
  })
  const readAddress = createAddressReader(settings.trustedProxies)
  site.use(async (context, next) => {
    context.set('address', readAddress(context.env.incoming))
    await next()
  })
  const exchanges = createHomeExchanges({ aadp, concierge, origin, now })
  site.get(HOME, async ({ req }) => {
    const body = homePage(await library.documents(), await exchanges())
    return keptResponse(req.raw, { mediaType: HTML, body }, { scripts: true })
  })
  site.route('/', createAskSite(concierge, { origin, tokens }))
  site.route('/', createCatalogueSite(createCatalogue(aadp, { origin })))
  site.route('/', createInspectorSite(inspector, { origin }))
  return inspector
}
