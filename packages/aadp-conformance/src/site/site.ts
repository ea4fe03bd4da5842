import type { AadpVersion, SitemapIndexV1 } from '@doorplate/aadp-schemas'
import { once, type RequestLog } from '@doorplate/conformance-kit'
import type { RunSettings } from '../options.js'
import { ruleIn, type Rule } from '../requirements.js'
import { isLocalUrl } from './local-url.js'
import { probeErrors, type ErrorProbes } from './error-probes.js'
import type { Standard } from './examine-document.js'
import { readDocument, type DocumentReading } from './read-document.js'
import { readEntities, type EntityReadings } from './read-entities.js'
import { readIndex, type IndexReading } from './read-index.js'
import { readSitemaps, type SitemapReadings } from './read-sitemaps.js'

/**
 * The site under test. Everything is read when a check first asks for it, and once: checks judge what was read, and a
 * check that asks early pays for those that ask later.
 */
export interface Site {
  readonly origin: string
  readonly version: AadpVersion
  readonly settings: RunSettings
  readonly log: RequestLog
  readonly rule: Rule
  readonly standard: Standard
  readonly manifestUrl: string
  manifest(): Promise<DocumentReading>
  index(): Promise<IndexReading>
  sitemaps(): Promise<SitemapReadings>
  entities(): Promise<EntityReadings>
  errors(): Promise<ErrorProbes>
}

/** The site at an origin, still unread. */
export function createSite(settings: RunSettings, log: RequestLog, nowMs: number): Site {
  const { origin, version } = settings
  const rule = ruleIn(version)
  const latestMs = nowMs + CLOCK_TOLERANCE_MS
  const standard: Standard = {
    version,
    rule,
    latestMs,
    latestText: new Date(latestMs).toISOString().slice(0, 19),
    isPlainLoopback: isLocalUrl(origin),
  }
  const manifestUrl = `${origin}/.well-known/ai-manifest.json`
  const manifest = once(() => readDocument(log, { url: manifestUrl }))
  const index = once(async () => readIndex(await manifest(), log, standard))
  const sitemaps = once(async () =>
    readSitemaps(
      (await index()).reading.data as SitemapIndexV1,
      (await manifest()).data,
      settings,
      log,
      standard,
    ),
  )
  const entities = once(async () => readEntities((await sitemaps()).walks, settings, log, standard))
  const errors = once(async () => {
    const { walks } = await sitemaps()
    const { examples } = await entities()
    const walk = walks.find(({ items }) => items.length > 0)
    return probeErrors(log, settings.negativeTargets, walk, examples[0])
  })
  return {
    origin,
    version,
    settings,
    log,
    rule,
    standard,
    manifestUrl,
    manifest,
    index,
    sitemaps,
    entities,
    errors,
  }
}

/** Clocks differ; a time this far ahead is still the present. */
const CLOCK_TOLERANCE_MS = 300_000
