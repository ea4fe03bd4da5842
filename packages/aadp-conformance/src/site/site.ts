import type { AadpVersion, EntityV1, ManifestV0_1, ManifestV1, SitemapIndexV1 } from '@doorplate/aadp-schemas'
import type { RequestLog } from '@doorplate/conformance-kit'
import pMap from 'p-map'
import type { RunSettings } from '../options.js'
import { ruleIn, type Rule } from '../requirements.js'
import { probeErrors, type ErrorProbes } from './error-probes.js'
import { examineChecksum, examineResponse, examineSchema, type Standard } from './examine-document.js'
import type { EntityExample } from './entity-example.js'
import { examineEntity } from './examine-entity.js'
import { examineTimes, examineTransport, examineValidators } from './examine-headers.js'
import { examination, type Examination } from './examination.js'
import { once } from './once.js'
import { PageBudget } from './page-budget.js'
import { readDocument, readWithinBudget, type DocumentReading } from './read-document.js'
import { chooseEntities } from './sample.js'
import { walkSitemap, type SitemapWalk } from './walk-sitemap.js'

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

export interface IndexReading {
  readonly reading: DocumentReading
  readonly examination: Examination
}

export interface SitemapReadings {
  readonly walks: readonly SitemapWalk[]
  /** Why not all pages were read. */
  readonly cutShort?: string
}

export interface EntityReadings {
  /** How many are listed. */
  readonly listed: number
  /** How many were read. */
  readonly read: number
  readonly examinations: readonly Examination[]
  /** One of each type, whole, for further requests. */
  readonly examples: readonly EntityExample[]
  /** Why fewer were read than were asked for. */
  readonly cutShort?: string
}

/** Examples kept of entities: enough for every type of an ordinary site, not a burden for a large one. */
const MAX_EXAMPLES = 3

/** The site at an origin, still unread. */
export function createSite(settings: RunSettings, log: RequestLog, nowMs: number): Site {
  const { origin, version } = settings
  const rule = ruleIn(version)
  const standard: Standard = {
    version,
    rule,
    latestMs: nowMs + CLOCK_TOLERANCE_MS,
    isLoopback: isLoopback(origin),
  }
  const manifestUrl = `${origin}/.well-known/ai-manifest.json`
  const manifest = once(() => readDocument(log, { url: manifestUrl }))
  const index = once(async () => readIndex(await manifest(), log, standard))
  const sitemaps = once(async () =>
    readSitemaps((await index()).reading, (await manifest()).data, settings, log, standard),
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

/** The URL of the sitemap index as the manifest gives it. */
export function sitemapIndexUrl(manifest: unknown, version: AadpVersion): string {
  return version === '1.0'
    ? (manifest as ManifestV1).discovery.sitemap_index
    : (manifest as ManifestV0_1).sitemap_index
}

async function readIndex(
  manifest: DocumentReading,
  log: RequestLog,
  standard: Standard,
): Promise<IndexReading> {
  const reading = await readDocument(log, { url: sitemapIndexUrl(manifest.data, standard.version) })
  const transport = examineTransport(reading, 'sitemap-index', standard)
  const unusable = [
    ...examineResponse(reading, 'sitemap-index', standard),
    ...(reading.data === undefined ? [] : examineSchema(reading, 'sitemap-index', standard)),
  ]
  if (unusable.length > 0) {
    return { reading, examination: examination('sitemap-index', { ...transport, document: unusable }) }
  }
  const index = reading.data as SitemapIndexV1
  const sides = {
    ...transport,
    document: examineChecksum(reading.url, index.checksum, index.sitemaps, standard.rule('IDX-010')),
    validators: examineValidators(reading, { checksum: index.checksum, time: index.generated_at }, standard),
    times: examineTimes(reading.url, { '/generated_at': index.generated_at }, standard),
  }
  return { reading, examination: examination('sitemap-index', sides) }
}

async function readSitemaps(
  index: DocumentReading,
  manifest: unknown,
  settings: RunSettings,
  log: RequestLog,
  standard: Standard,
): Promise<SitemapReadings> {
  const pages = new PageBudget(settings.maxPages)
  const isProtected = protectedTypes(manifest, settings.version)
  const { sitemaps } = index.data as SitemapIndexV1
  const walks = await pMap(
    sitemaps.slice(0, settings.maxSitemaps),
    (entry) => walkSitemap(entry, { log, standard, pages, isProtected: isProtected.has(entry.type) }),
    { concurrency: settings.concurrency },
  )
  const left = sitemaps.length - walks.length
  const cutShort =
    left > 0
      ? `The index lists ${sitemaps.length} sitemaps; the run may read ${settings.maxSitemaps}.`
      : walks.find((walk) => walk.cutShort)?.cutShort
  return { walks, ...(cutShort !== undefined && { cutShort }) }
}

async function readEntities(
  walks: readonly SitemapWalk[],
  settings: RunSettings,
  log: RequestLog,
  standard: Standard,
): Promise<EntityReadings> {
  const wanted = chooseEntities(walks, settings.entities, settings.seed)
  const chosen = wanted.slice(0, settings.maxEntities)
  const examples = new Map<string, EntityExample>()
  const examinations: Examination[] = []
  let cutShort =
    chosen.length < wanted.length ? `The run has used up its ${settings.maxEntities} entities.` : undefined
  await pMap(
    chosen,
    async (one) => {
      const reading = await readWithinBudget(log, { url: one.item.url })
      if ('cutShort' in reading) {
        cutShort = reading.cutShort
        return
      }
      const examined = examineEntity(reading, one, standard)
      examinations.push(examined)
      const { type } = one.walk.entry
      const isExample =
        examples.size < MAX_EXAMPLES && !examples.has(type) && examined.findings.document === undefined
      if (isExample) examples.set(type, { chosen: one, reading, entity: reading.data as EntityV1 })
    },
    { concurrency: settings.concurrency },
  )
  return {
    listed: walks.reduce((sum, walk) => sum + walk.items.length, 0),
    read: examinations.length,
    examinations,
    examples: [...examples.values()],
    ...(cutShort !== undefined && { cutShort }),
  }
}

/** Types whose security scheme asks for something. */
function protectedTypes(manifest: unknown, version: AadpVersion): ReadonlySet<string> {
  if (version !== '1.0') return new Set()
  const { resources = [], security_schemes: schemes = {} } = manifest as ManifestV1
  const guarded = resources.filter(({ security }) => {
    if (security === undefined || !Object.hasOwn(schemes, security)) return false
    return schemes[security]?.type !== 'none'
  })
  return new Set(guarded.map(({ type }) => type))
}

function isLoopback(origin: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(origin).hostname)
}
