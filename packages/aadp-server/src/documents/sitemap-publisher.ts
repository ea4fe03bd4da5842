import { sha256Hex } from '@doorplate/aadp-schemas/canonical-json'
import type { ByteLruCache } from './byte-lru-cache.js'
import { objectText } from '../records/canonical-object.js'
import type { Settings } from '../config/check-config.js'
import type { CursorCodec, CursorPosition } from './cursor.js'
import type { DeliveryPolicy } from '../config/delivery-policy.js'
import { type FaultListeners, OperationFailure, reportFault } from '../errors/fault.js'
import { laterThanAny } from './conditional-request.js'
import { andThen, type MaybePromise } from '../upstream/maybe-promise.js'
import { createDocument, type PublishedDocument } from './published-document.js'
import type { PublishedRecord, RecordPublisher } from './record-publisher.js'
import { hasRecordKeys, type RecordKeys } from '../records/record-key.js'
import type { RequestContext } from '../upstream/request-context.js'
import type { Resource } from '../config/resource-config.js'
import { invalidRequest } from '../errors/server-error.js'
import type { ListedRecords, Upstream } from '../upstream/upstream.js'

const FIRST_PAGE: CursorPosition = { from: 'at', raw: null }
const OVERHEAD_BYTES = 1024

/** A page as it went out last, and what it was made of. */
export interface PublishedPage {
  readonly items: readonly string[]
  /** Keys of the records, if every one was identified and published. */
  readonly keys: RecordKeys | undefined
  readonly next: CursorPosition | null
  readonly document: PublishedDocument
}

export interface SitemapPublisher {
  /** A page of a sitemap; `cursor` is `undefined` for the first. */
  publish(
    resource: Resource,
    cursor: string | undefined,
    locale: string | undefined,
    context: RequestContext,
  ): MaybePromise<PublishedDocument>
}

export interface SitemapParts {
  readonly settings: Settings
  readonly upstream: Upstream
  readonly records: RecordPublisher
  readonly cursors: CursorCodec
  readonly delivery: DeliveryPolicy
  readonly pages: ByteLruCache<PublishedPage>
}

export function createSitemapPublisher(parts: SitemapParts): SitemapPublisher {
  const { settings, upstream, records, cursors, delivery, pages } = parts
  const { pageSize, now } = settings
  let firstServedMs: number | undefined

  /** After a page that was the last one and full there is nothing, unless records were added since. */
  function readPage(
    resource: Resource,
    { from, raw }: CursorPosition,
    locale: string | undefined,
    context: RequestContext,
  ): MaybePromise<ListedRecords> {
    const page = upstream.list(resource, raw, locale, context)
    if (from === 'at') return page
    return andThen(page, ({ cursor, nextCursor }) =>
      nextCursor === null
        ? { records: [], cursor, nextCursor }
        : upstream.list(resource, nextCursor, locale, context),
    )
  }

  function publishRecords(
    resource: Resource,
    page: ListedRecords,
    locale: string | undefined,
    context: RequestContext,
  ): PublishedRecord[] {
    const published: PublishedRecord[] = []
    for (const record of page.records) {
      try {
        published.push(records.publish(resource, record, locale))
      } catch (error) {
        if (!mayOmit(error)) throw error
        reportFault(settings, error, 'record_omitted', context)
      }
    }
    return published
  }

  function mayOmit(error: unknown): boolean {
    if (!(error instanceof OperationFailure)) return false
    const policy = error.operation === 'publish' ? settings.unpublishableRecords : settings.failingRecords
    return policy === 'omit'
  }

  function encodeCursor(resource: Resource, next: CursorPosition | null): string | null {
    if (next === null) return null
    const text = cursors.encode(resource.type, next)
    if (text !== undefined) return text
    throw new OperationFailure(new RangeError('nextCursor is too long or not Unicode'), 'list', {
      type: resource.type,
    })
  }

  function publishPage(
    resource: Resource,
    page: ListedRecords,
    key: string,
    locale: string | undefined,
    context: RequestContext,
  ): PublishedDocument {
    const next = nextPosition(page, pageSize)
    const known = pages.get(key)
    const previous = known !== undefined && isSamePosition(known.next, next) ? known : undefined
    if (previous?.keys !== undefined && hasRecordKeys(resource, page.records, previous.keys))
      return previous.document

    const published = publishRecords(resource, page, locale, context)
    if (previous !== undefined && hasSameItems(previous, published)) return previous.document

    const emptySinceMs = settings.lastModified?.timeMs ?? (firstServedMs ??= now())
    const document = createPageDocument({
      resource,
      records: withoutDuplicates(published, settings, context),
      next: encodeCursor(resource, next),
      locale,
      emptySinceMs,
      changedAtMs: known && laterThanAny(known.document, now()),
      delivery,
    })
    const items = published.map(({ representation }) => representation.itemText)
    const keys = published.length === page.records.length ? keysOf(published) : undefined
    pages.set(
      key,
      { items, keys, next, document },
      OVERHEAD_BYTES + key.length + 3 * (document.full.body?.length ?? 0),
    )
    return document
  }

  return {
    publish(resource, cursor, locale, context) {
      const position = cursor === undefined ? FIRST_PAGE : cursors.decode(resource.type, cursor)
      if (position === undefined) throw invalidRequest('The cursor is not valid.')
      const key = `${resource.type} ${locale ?? ''} ${cursor ?? ''}`
      return andThen(readPage(resource, position, locale, context), (page) =>
        publishPage(resource, page, key, locale, context),
      )
    },
  }
}

/** A full page always goes on, so that what is added later needs no change of a page that readers already have. */
function nextPosition(
  { records, cursor, nextCursor }: ListedRecords,
  pageSize: number,
): CursorPosition | null {
  if (nextCursor !== null) return { from: 'at', raw: nextCursor }
  return records.length < pageSize ? null : { from: 'after', raw: cursor }
}

function isSamePosition(one: CursorPosition | null, other: CursorPosition | null): boolean {
  return one?.from === other?.from && one?.raw === other?.raw
}

function keysOf(records: readonly PublishedRecord[]): RecordKeys | undefined {
  const keys = records.flatMap(({ key }) => key ?? [])
  if (keys.length < records.length) return undefined
  return { names: keys.map(({ name }) => name), versions: keys.map(({ version }) => version) }
}

function hasSameItems({ items }: PublishedPage, records: readonly PublishedRecord[]): boolean {
  if (items.length !== records.length) return false
  return records.every(({ representation }, index) => representation.itemText === items[index])
}

/** An id may appear once in a sitemap; of two records with one id the first counts. */
function withoutDuplicates(
  records: readonly PublishedRecord[],
  listeners: FaultListeners,
  context: RequestContext,
): readonly PublishedRecord[] {
  const ids = new Set<string>()
  return records.filter(({ representation: { id } }) => {
    if (!ids.has(id)) return ids.add(id)
    const error = new OperationFailure(new RangeError(`list returned ${id} twice`), 'list', { id })
    reportFault(listeners, error, 'record_omitted', context)
    return false
  })
}

interface PageDescription {
  readonly resource: Resource
  readonly records: readonly PublishedRecord[]
  readonly next: string | null
  readonly locale: string | undefined
  /** When a page without records last changed. */
  readonly emptySinceMs: number
  readonly changedAtMs: number | undefined
  readonly delivery: DeliveryPolicy
}

/** `generated_at` is the latest change of a record, so that equal records give equal bytes wherever they are served. */
function createPageDocument(page: PageDescription): PublishedDocument {
  const { resource, records, next, locale, delivery } = page
  const generatedAtMs =
    records.length === 0
      ? page.emptySinceMs
      : Math.max(...records.map(({ representation }) => representation.updatedAtMs))
  const itemsText = `[${records.map(({ representation }) => representation.itemText).join(',')}]`
  const checksum = `sha256:${sha256Hex(itemsText)}`
  return createDocument({
    text: objectText([
      ['aadp_version', '"1.0"'],
      ['checksum', `"${checksum}"`],
      ['cursor', `{"next":${JSON.stringify(next)}}`],
      ['generated_at', `"${new Date(generatedAtMs).toISOString()}"`],
      ['items', itemsText],
      ['type', `"${resource.type}"`],
    ]),
    contentType: 'application/json',
    tag: checksum,
    lastModifiedMs: generatedAtMs,
    unchangedSinceMs: page.changedAtMs,
    cacheControl: delivery.cacheControl(resource),
    vary: resource.locales === undefined ? [] : ['Accept-Language'],
    contentLanguage: locale,
  })
}
