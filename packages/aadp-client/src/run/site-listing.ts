import type { AadpVersion, SitemapIndexEntryV1, SitemapItemV1 } from '@doorplate/aadp-schemas'
import type { Budget } from '../options/budget.js'
import { AadpClientError, AadpDiscoveryBudgetExceededError } from '../errors.js'
import { manifestUrl } from '../reading/fetch-document.js'
import type { IssueLog } from './issue-log.js'
import { unknownSchemes, unknownTypes } from './unknown-names.js'
import { httpUrl } from '../documents/http-url.js'
import { CursorTrail, pageUrl, requireNamespace, requireType } from '../documents/sitemap-rules.js'
import type { DocumentKind, DocumentTypes, NamedSecurityScheme, Wire } from '../documents/wire.js'
import type { Lane } from '../pool/lane.js'

/** An entity that a sitemap lists. */
export interface ListedItem {
  readonly item: SitemapItemV1
  readonly type: string
  readonly scheme: NamedSecurityScheme | undefined
}

export interface ListingRequest {
  readonly scheme?: NamedSecurityScheme | undefined
  /** Whether a sitemap that ends with a page of so many items has as many as the index says; unknown without a count. */
  readonly isWhole?: (itemsOnPage: number) => boolean
  /** Told the final URL before the document is read; throws when it was met before. */
  readonly arrive: (finalUrl: string) => void
}

/** Where the documents that list entities come from: always the site, or a mirror that is still valid. */
export type ListingSource<V extends AadpVersion> = <K extends Exclude<DocumentKind, 'entity'>>(
  kind: K,
  url: string,
  request: ListingRequest,
) => Promise<DocumentTypes[V][K]>

export interface ListingOptions<V extends AadpVersion> {
  readonly wire: Wire<V>
  readonly source: ListingSource<V>
  readonly budget: Budget
  readonly log: IssueLog
  /** Only sitemaps of these types. */
  readonly types: readonly string[] | undefined
  /** Ids of the security schemes that there are credentials for. */
  readonly schemes: readonly string[]
  readonly maxSitemaps: number
}

/** What a site lists: manifest, index, and for each type a lane of its entities. */
export class SiteListing<V extends AadpVersion> {
  readonly #options: ListingOptions<V>
  readonly #visited = new Set<string>()
  #manifest: DocumentTypes[V]['manifest'] | undefined
  /** The entities that the index announces, where it gives numbers. A hint only. */
  announced: number | undefined

  constructor(options: ListingOptions<V>) {
    this.#options = options
  }

  async open(origin: string): Promise<readonly Lane<ListedItem>[]> {
    const { wire, source, types, maxSitemaps } = this.#options
    const url = manifestUrl(origin)
    const manifest = await source('manifest', url, { arrive: this.#arrive })
    this.#manifest = manifest
    this.#warnOfUnknownSchemes(manifest, url)
    const indexUrl = httpUrl(wire.sitemapIndexUrl(manifest)).href
    const { sitemaps } = await source('sitemap-index', indexUrl, { arrive: this.#arrive })
    if (sitemaps.length > maxSitemaps) throw new AadpDiscoveryBudgetExceededError('maxSitemaps', maxSitemaps)
    this.#warnOfUnknownTypes(sitemaps, indexUrl)
    const byType = new Map<string, SitemapIndexEntryV1[]>()
    for (const entry of sitemaps) {
      if (types && !types.includes(entry.type)) continue
      byType.set(entry.type, [...(byType.get(entry.type) ?? []), entry])
    }
    this.announced = announcedIn([...byType.values()].flat())
    return [...byType].map(([type, entries]) => {
      const batches = this.#listType(type, this.#distinct(entries, indexUrl))
      return { next: async () => (await batches.next()).value ?? undefined }
    })
  }

  /** What the caller named and the site does not have leaves nothing out by itself, but is seldom meant. */
  #warnOfUnknownSchemes(manifest: DocumentTypes[V]['manifest'], url: string): void {
    const { wire, log, schemes } = this.#options
    for (const message of unknownSchemes(schemes, wire.securitySchemes(manifest)))
      log.warn('unknown_scheme', message, { document: 'manifest', url })
  }

  #warnOfUnknownTypes(sitemaps: readonly SitemapIndexEntryV1[], url: string): void {
    const { log, types } = this.#options
    for (const message of unknownTypes(types, sitemaps))
      log.warn('unknown_type', message, { document: 'sitemap-index', url })
  }

  /** Redirects must not lead back to a document that was read already. */
  readonly #arrive = (finalUrl: string): void => {
    const url = httpUrl(finalUrl).href
    if (this.#visited.has(url)) {
      throw new AadpClientError('document_loop', `This document was read already: ${url}`, { url })
    }
    this.#visited.add(url)
  }

  /** URLs are compared after parsing, without fragment. A URL that may not be requested stays: its fetch reports it. */
  #distinct(entries: readonly SitemapIndexEntryV1[], indexUrl: string): SitemapIndexEntryV1[] {
    const byUrl = new Map<string, SitemapIndexEntryV1>()
    for (const entry of entries) {
      const url = URL.canParse(entry.url) ? new URL(entry.url) : undefined
      if (url) url.hash = ''
      const key = url?.href ?? entry.url
      if (!byUrl.has(key)) byUrl.set(key, entry)
      else {
        this.#options.log.warn('duplicate_sitemap', `The index lists a sitemap twice: ${key}`, {
          document: 'sitemap-index',
          url: indexUrl,
        })
      }
    }
    return [...byUrl.values()]
  }

  /** The entities of one type, each once: they can be repeated only among the sitemaps of one type. */
  #listType(
    type: string,
    entries: readonly SitemapIndexEntryV1[],
  ): AsyncGenerator<readonly ListedItem[], void> {
    const scheme = this.#manifest && this.#options.wire.securityScheme(this.#manifest, type)
    const listed = (item: SitemapItemV1): ListedItem => ({ item, type, scheme })
    const [entry] = entries
    return entry && entries.length === 1
      ? this.#listSitemap(entry, scheme, listed)
      : this.#listSitemaps(entries, scheme, listed)
  }

  async *#listSitemap(
    entry: SitemapIndexEntryV1,
    scheme: NamedSecurityScheme | undefined,
    listed: (item: SitemapItemV1) => ListedItem,
  ): AsyncGenerator<readonly ListedItem[], void> {
    const seen = new Map<string, number>()
    for await (const { items, url } of this.#pages(entry, scheme, () => seen.size)) {
      const fresh = items.filter((item) => {
        const state = stateOf(item)
        const before = seen.get(item.id)
        if (before === undefined) seen.set(item.id, state)
        else this.#warnOfRepetition(item, before === state, url)
        return before === undefined
      })
      yield fresh.map(listed)
    }
  }

  /** Several sitemaps are all read first, because only then is known which listing of an entity is the newest. */
  async *#listSitemaps(
    entries: readonly SitemapIndexEntryV1[],
    scheme: NamedSecurityScheme | undefined,
    listed: (item: SitemapItemV1) => ListedItem,
  ): AsyncGenerator<readonly ListedItem[], void> {
    const newest = new Map<string, SitemapItemV1>()
    for (const entry of entries) {
      const ids = new Set<string>()
      for await (const { items, url } of this.#pages(entry, scheme, () => ids.size)) {
        for (const item of items) {
          ids.add(item.id)
          const before = newest.get(item.id)
          if (before) this.#warnOfRepetition(item, stateOf(before) === stateOf(item), url)
          if (!before || Date.parse(item.updated_at) > Date.parse(before.updated_at))
            newest.set(item.id, item)
        }
      }
    }
    yield [...newest.values()].map(listed)
  }

  #warnOfRepetition({ id }: SitemapItemV1, isSameState: boolean, url: string): void {
    const where = { document: 'sitemap', url, id } as const
    if (isSameState) this.#options.log.warn('duplicate_item', `${id} is listed again`, where)
    else this.#options.log.warn('conflicting_item', `${id} is listed again in another state`, where)
  }

  /** The usable items of each page; an unusable page ends its sitemap. `distinct`: how many ids it has so far. */
  async *#pages(
    entry: SitemapIndexEntryV1,
    scheme: NamedSecurityScheme | undefined,
    distinct: () => number,
  ): AsyncGenerator<PageItems, void> {
    const trail = new CursorTrail()
    let cursor: string | null | undefined = null
    do {
      const fetched = await this.#fetchPage(entry, cursor, distinct(), scheme)
      if (!fetched) return
      const { page, url } = fetched
      yield { items: page.items.filter((item) => this.#isInNamespace(item, entry.type, url)), url }
      cursor = this.#guard({ document: 'sitemap', url }, () => trail.next(page, url))
    } while (typeof cursor === 'string')
    const { count, url } = entry
    if (cursor !== null || count === undefined || count === distinct()) return
    const message = `The index announces ${count} entities, there are ${distinct()}`
    this.#options.log.warn('count_mismatch', message, { document: 'sitemap', url })
  }

  async #fetchPage(
    entry: SitemapIndexEntryV1,
    cursor: string | null,
    itemsBefore: number,
    scheme: NamedSecurityScheme | undefined,
  ): Promise<{ page: DocumentTypes[V]['sitemap']; url: string } | undefined> {
    const { source, budget, log } = this.#options
    const isWhole = (itemsOnPage: number): boolean => entry.count === itemsBefore + itemsOnPage
    let { url } = entry
    try {
      url = pageUrl(httpUrl(entry.url).href, cursor)
      budget.chargePage()
      const page = await source('sitemap', url, { scheme, isWhole, arrive: this.#arrive })
      requireType(page, entry.type, url)
      return { page, url }
    } catch (error) {
      log.fail(error, { document: 'sitemap', url })
      return undefined
    }
  }

  #isInNamespace({ id }: SitemapItemV1, type: string, url: string): boolean {
    return this.#guard({ document: 'sitemap', url, id }, () => requireNamespace(id, type, url)) === true
  }

  /** `undefined` after a failure that does not end the run. */
  #guard<T>(where: { document: 'sitemap'; url: string; id?: string }, check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      this.#options.log.fail(error, where)
      return undefined
    }
  }
}

function announcedIn(entries: readonly SitemapIndexEntryV1[]): number | undefined {
  let sum = 0
  for (const { count } of entries) {
    if (count === undefined) return undefined
    sum += count
  }
  return sum
}

interface PageItems {
  readonly items: readonly SitemapItemV1[]
  readonly url: string
}

/** Tells whether two listings of an entity differ. A small integer, because one is kept for each entity of a run. */
function stateOf({ updated_at: updatedAt, checksum }: SitemapItemV1): number {
  return (Date.parse(updatedAt) / 1_000) ^ parseInt(checksum.slice(-7), 16)
}
