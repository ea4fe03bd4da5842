import type { ByteLruCache } from './byte-lru-cache.js'
import {
  buildEntityRepresentation,
  type EntityRepresentation,
  isRepresentationOf,
} from './entity-representation.js'
import { OperationFailure } from './fault.js'
import { secondAfter } from './http-date.js'
import type { PublishedDocument } from './published-document.js'
import { readRecordKey, type RecordKey } from './record-key.js'
import type { Resource, SerializedEntity } from './resource-config.js'
import type { RouteTable } from './route-table.js'
import { UnpublishableRecordError } from './unpublishable-record-error.js'

/** Bytes that a cached record takes beside its texts. */
const OVERHEAD_BYTES = 512
/** A record's texts are also held as parsed JSON and as bytes. */
const COPIES = 4

/** A record as it is published, and the documents made of it so far. */
export interface PublishedRecord {
  readonly representation: EntityRepresentation
  /** What `identify` said of the record. */
  readonly version: string | number | undefined
  /** No other content of this entity was published after this moment. */
  readonly unchangedSinceMs: number
  json?: PublishedDocument
  markdown?: PublishedDocument
}

export interface RecordPublisher {
  /** What to publish of a record; an unchanged record costs a look-up. Throws `OperationFailure`. */
  publish(resource: Resource, record: unknown, locale: string | undefined): PublishedRecord
}

export function createRecordPublisher(
  cache: ByteLruCache<PublishedRecord>,
  routes: RouteTable,
  origin: string,
  now: () => number,
): RecordPublisher {
  function represent(
    resource: Resource,
    serialized: SerializedEntity,
    recordKey: RecordKey | undefined,
    locale: string | undefined,
  ): EntityRepresentation {
    const { type } = resource
    const query = locale === undefined || locale === resource.locales?.[0] ? '' : `?locale=${locale}`
    const urlOf = (name: string): string => routes.url('entity', { type, id: name }) + query
    try {
      const representation = buildEntityRepresentation(serialized, { type, origin, locale, urlOf })
      if (recordKey === undefined || recordKey.id === representation.id) return representation
      throw new UnpublishableRecordError('id', 'serialize and identify must give the same id')
    } catch (error) {
      throw new OperationFailure(error, 'publish', { type, ...idOf(serialized) })
    }
  }

  return {
    publish(resource, record, locale) {
      const recordKey = readRecordKey(resource, record)
      const known = recordKey && cache.get(cacheKey(recordKey.id, locale))
      if (known !== undefined && known.version === recordKey?.version) return known

      const serialized = serializeRecord(resource, record, locale)
      const key = cacheKey(recordKey?.id ?? idOf(serialized).id ?? '', locale)
      const previous = known ?? cache.get(key)
      const isSame = previous !== undefined && isRepresentationOf(previous.representation, serialized)
      if (isSame && previous.version === recordKey?.version) return previous

      const published = isSame
        ? { ...previous, version: recordKey?.version }
        : createPublished(
            represent(resource, serialized, recordKey, locale),
            recordKey,
            previous && secondAfter(now()),
          )
      const { entityText, itemText } = published.representation
      cache.set(key, published, OVERHEAD_BYTES + COPIES * (entityText.length + itemText.length))
      return published
    },
  }
}

function createPublished(
  representation: EntityRepresentation,
  recordKey: RecordKey | undefined,
  changedAtMs: number | undefined,
): PublishedRecord {
  return {
    representation,
    version: recordKey?.version,
    unchangedSinceMs: changedAtMs ?? representation.updatedAtMs,
  }
}

function serializeRecord(resource: Resource, record: unknown, locale: string | undefined): SerializedEntity {
  try {
    return resource.serialize(record, locale === undefined ? {} : { locale })
  } catch (error) {
    throw new OperationFailure(error, 'serialize', { type: resource.type })
  }
}

function idOf(serialized: unknown): { readonly id?: string } {
  const id =
    typeof serialized === 'object' && serialized !== null && 'id' in serialized ? serialized.id : undefined
  return typeof id === 'string' ? { id } : {}
}

function cacheKey(id: string, locale: string | undefined): string {
  return locale === undefined ? id : `${id} ${locale}`
}
