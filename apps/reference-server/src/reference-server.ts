import { createDesk, type Authenticate, type Desk } from '@doorplate/ahp-converse/desk'
import type { Concierge } from '@doorplate/ahp-converse/server'
import { createRouter } from './create-router.js'
import { createCarrier, type Carrier } from './concierge/carrier.js'
import { createLibraryKnowledge } from './concierge/library-knowledge.js'
import { defineSiteConcierge } from './concierge/define-site-concierge.js'
import { openFileState, openRedisState, type State } from './concierge/open-state.js'
import { openPostedResults, type PostedResults } from './concierge/posted-results.js'
import { createVerifier } from './concierge/visitors.js'
import { createAttemptCounter } from './counted-attempts.js'
import { prepareDataFolder } from './data-folder.js'
import { openDemoTokens } from './demo-tokens.js'
import { createOperatorCheck, DESK_CHALLENGE } from './desk-operators.js'
import { openDocumentDates } from './document-dates.js'
import type { ServerAddresses } from './first-steps.js'
import { listen, type HttpServer } from './http-server.js'
import { createLibrary, type Library } from './library.js'
import type { GuessLimits } from './limit-guesses.js'
import { addPages } from './add-pages.js'
import { compressResponses } from './operate/compress-responses.js'
import { createConciergeLog } from './operate/concierge-log.js'
import { createLogger, type Logger } from './operate/logger.js'
import { metricsEndpoint } from './operate/metrics-endpoint.js'
import { createSiteMetrics } from './operate/site-metrics.js'
import { watchExchanges } from './operate/watch-exchanges.js'
import { publishSite } from './publish/publish-site.js'
import { siteSignals } from './publish/site-signals.js'
import { countOwnApart, ownRequestProof } from './own-requests.js'
import { DESK, DESK_STYLESHEET, HOME } from './routes.js'
import type { Settings } from './settings/settings.js'
import { loadSqlite } from './shop/load-sqlite.js'
import { databaseFile, openShop } from './shop/open-shop.js'
import type { Shop } from './shop/shop.js'
import { SITE } from './site-facts.js'
import { createSite } from './site.js'
import { createAddressReader } from './site-env.js'
import { StartError } from './start-error.js'

export interface ReferenceServer
  extends ServerAddresses, Pick<Library, 'documents'>, Pick<HttpServer, 'stop' | 'renewCertificate'> {
  /** Whether there is a shop: it needs SQLite. */
  readonly hasShop: boolean
}

export interface ReferenceServerParts {
  /** Folder whose documentation is published. */
  readonly projectRoot: string
  /** Folder of the style sheet and the icon. */
  readonly assetsFolder: string
  readonly now: () => number
  /** Takes one line about something that went wrong. */
  readonly log: (line: string) => void
  /** Takes a line for every request, question and fault. Default: nobody does. */
  readonly logger?: Logger
}

/** Everything put together, behind one listener. Throws `StartError`, and then leaves nothing open. */
export async function startReferenceServer(
  settings: Settings,
  parts: ReferenceServerParts,
): Promise<ReferenceServer> {
  const opened: (() => unknown)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const server = await start(settings, parts, opened)
    return {
      ...server,
      async stop(options) {
        await server.stop(options)
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** What is opened says how to close it. */
async function start(
  settings: Settings,
  {
    projectRoot,
    assetsFolder,
    now,
    log,
    logger = createLogger({ logLevel: 'silent' }),
  }: ReferenceServerParts,
  opened: (() => unknown)[],
): Promise<ReferenceServer> {
  await prepareDataFolder(settings.dataDir)
  const dates = await openDocumentDates(settings.dataDir, { now })
  const tokens = await openDemoTokens(settings.dataDir)
  const library = createLibrary({ projectRoot, dates, warn: log })
  const { shop, state } = await openStores(settings, log, opened)
  const { carrier, callbacks } = await openReach(settings, opened)

  const server = await listen(settings, { logger })
  opened.push(() => server.stop({ graceMs: 0 }))
  const origin = settings.publicUrl ?? server.origin
  const signals = siteSignals(origin)
  const { site, knowledge } = await readable(async () => ({
    site: await createSite({ library, projectRoot, assetsFolder, signals, log }),
    knowledge: await createLibraryKnowledge(library, { now, warn: log }),
  }))
  const metrics = createSiteMetrics()
  const concierge = defineSiteConcierge({
    ...{ origin, knowledge, shop, carrier, callbacks, state, tokens, settings, now },
    logger: createConciergeLog(logger),
    observe: metrics.countEvent,
  })
  metrics.follow(concierge)
  opened.push(() => concierge.close({ timeoutMs: 1000 }))
  const aadp = publishSite({ library, shop, verify: createVerifier(tokens), origin, settings, log })
  const deskParts = { origin, authenticate: createOperatorCheck(tokens), log }
  const desk = openDesk(concierge, deskParts)
  const pages = addPages(site, {
    ...{ aadp: aadp[0], concierge, library, state, origin },
    ...{ tokens, settings, now, log },
    certificate: () => server.certificate(),
  })
  opened.push(() => pages.close())
  const routeOf = createRouter({
    ...{ site, aadp, desk, origin, link: signals.linkHeader },
    concierge: countOwnApart(concierge, ownRequestProof(tokens)),
    guesses: guessLimits(deskParts, { settings, counts: state.limits }),
    showMetrics: metricsEndpoint(metrics, settings),
  })
  const answer = watchExchanges(routeOf, { logger, metrics })
  server.serve(settings.compression === 'on' ? compressResponses(answer) : answer)
  return {
    ...{ origin, address: server.origin, tokens, hasShop: shop !== undefined },
    ...(server.renewCertificate && { renewCertificate: server.renewCertificate }),
    documents: () => library.documents(),
    stop: (options) => server.stop(options),
  }
}

interface Reach {
  readonly carrier: Carrier | undefined
  readonly callbacks: PostedResults | undefined
}

/** What reaches other machines. */
async function openReach(settings: Settings, opened: (() => unknown)[]): Promise<Reach> {
  const callbacks = await openPostedResults(settings)
  const carrier = settings.carrierUrl === undefined ? undefined : createCarrier(settings.carrierUrl)
  opened.push(
    () => callbacks?.close(),
    () => carrier?.close(),
  )
  return { carrier, callbacks }
}

interface Stores {
  readonly shop: Shop | undefined
  readonly state: State
}

async function openStores(
  { dataDir, redisUrl }: Settings,
  log: (line: string) => void,
  opened: (() => unknown)[],
): Promise<Stores> {
  const sqlite = await loadSqlite()
  const isMissing = 'missing' in sqlite
  const shop = isMissing ? undefined : openShop(sqlite, dataDir)
  if (shop !== undefined)
    opened.push(() => {
      shop.close()
    })
  if (isMissing)
    log(
      `There is no shop, because better-sqlite3 cannot be used (${sqlite.missing})${redisUrl === undefined ? '; questions left to people are kept in memory' : ''}.`,
    )
  const state = await openState()
  opened.push(() => {
    state.close()
  })
  return { shop, state }

  async function openState(): Promise<State> {
    if (redisUrl !== undefined) return openRedisState(redisUrl, log)
    return isMissing ? { close: () => undefined } : openFileState(databaseFile(dataDir))
  }
}

async function readable<Made>(make: () => Promise<Made>): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    throw new StartError(`The documents cannot be read: ${(error as Error).message}`)
  }
}

interface DeskParts {
  readonly origin: string
  readonly authenticate: Authenticate
  readonly log: (line: string) => void
}

function openDesk({ inbox }: Concierge, { origin, authenticate, log }: DeskParts): Desk {
  return createDesk(inbox, {
    publicUrl: origin,
    path: DESK,
    home: { title: SITE.name, url: HOME },
    stylesheetUrl: DESK_STYLESHEET,
    authenticate,
    challenge: DESK_CHALLENGE,
    onError: (error) => {
      log(`The desk failed: ${String(error)}`)
    },
  })
}

function guessLimits(
  { authenticate, log }: DeskParts,
  { settings, counts }: { readonly settings: Settings; readonly counts: State['limits'] },
): GuessLimits {
  return {
    authenticate,
    rate: settings.credentialLimit,
    attempts: createAttemptCounter({ what: 'Wrong passwords', counts, log }),
    readAddress: createAddressReader(settings.trustedProxies),
    onError: (error) => {
      log(`The desk failed: ${String(error)}`)
    },
  }
}
