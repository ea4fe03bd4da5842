import type { AadpVersion, ManifestV1, SitemapIndexV1 } from '@doorplate/aadp-schemas'
import { counted, type RequestLog } from '@doorplate/conformance-kit'
import pMap from 'p-map'
import type { RunSettings } from '../options.js'
import type { Standard } from './examine-document.js'
import { PageBudget } from './page-budget.js'
import { walkSitemap, type SitemapWalk } from './walk-sitemap.js'

export interface SitemapReadings {
  readonly walks: readonly SitemapWalk[]
  /** Why not all pages were read. */
  readonly cutShort?: string
}

/** Walks every sitemap of an index that was found to be valid. */
export async function readSitemaps(
  { sitemaps }: SitemapIndexV1,
  manifest: unknown,
  settings: RunSettings,
  log: RequestLog,
  standard: Standard,
): Promise<SitemapReadings> {
  const pages = new PageBudget(settings.maxPages)
  const isProtected = protectedTypes(manifest, settings.version)
  const walks = await pMap(
    sitemaps.slice(0, settings.maxSitemaps),
    (entry) => walkSitemap(entry, { log, standard, pages, isProtected: isProtected.has(entry.type) }),
    { concurrency: settings.concurrency },
  )
  const left = sitemaps.length - walks.length
  const cutShort =
    left > 0
      ? `The index lists ${counted(sitemaps.length, 'sitemap')}; the run may read ${settings.maxSitemaps}.`
      : walks.find((walk) => walk.cutShort)?.cutShort
  return { walks, ...(cutShort !== undefined && { cutShort }) }
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
