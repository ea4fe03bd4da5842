import type { ByteLruCache } from './byte-lru-cache.js'
import {
  buildEntityRepresentation,
  type EntityRepresentation,
  isRepresentationOf,
} from '../records/entity-representation.js'
import { OperationFailure } from '../errors/fault.js'
import { secondAfter } from './http-date.js'
import type { PublishedDocument } from './published-document.js'
import { readRecordKey, type RecordKey } from '../records/record-key.js'
import { requireSynchronous } from '../records/require-synchronous.js'
import type { Resource, SerializedEntity } from '../config/resource-config.js'
import type { RouteTable } from '../routes/route-table.js'
import { UnpublishableRecordError } from '../errors/unpublishable-record-error.js'

/** Bytes that a cached record takes beside its texts. */
const OVERHEAD_BYTES = 512
/** A record's texts are also held as parsed JSON and as bytes. */
const COPIES = 4

/** A record as it is published, and the documents made of it so far. */
export interface PublishedRecord {
  readonly representation: EntityRepresentation
  /** What `identify` said of the record. */
  readonly key: RecordKey | undefined
  /** No other content of this entity was published after this moment. */
  readonly unchangedSinceMs: number
  json?: PublishedDocument | undefined
  /** Kept only for a record with a key: the version covers what it is made of. */
  markdown?: PublishedDocument | undefined
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
    key: RecordKey | undefined,
    locale: string | undefined,
  ): EntityRepresentation {
    const { type } = resource
    const query = locale === undefined || locale === resource.locales?.[0] ? '' : `?locale=${locale}`
    const urlOf = (name: string): string => routes.url('entity', { type, id: name }) + query
    try {
      const representation = buildEntityRepresentation(serialized, { type, origin, locale, urlOf })
      if (key === undefined || `${type}:${key.name}` === representation.id) return representation
      throw new UnpublishableRecordError('id', 'serialize and identify must give the same name')
    } catch (error) {
      throw new OperationFailure(error, 'publish', { type, ...idOf(serialized) })
    }
  }

  function renew(
    representation: EntityRepresentation,
    key: RecordKey | undefined,
    previous: PublishedRecord | undefined,
  ): PublishedRecord {
    const unchangedSinceMs = previous === undefined ? representation.updatedAtMs : secondAfter(now())
    return { representation, key, unchangedSinceMs }
  }

  return {
    publish(resource, record, locale) {
      const { type } = resource
      const key = readRecordKey(resource, record)
      const known = key && cache.get(cacheKey(`${type}:${key.name}`, locale))
      if (known !== undefined && known.key?.version === key?.version) return known

      const serialized = serializeRecord(resource, record, locale)
      const id = key === undefined ? (idOf(serialized).id ?? '') : `${type}:${key.name}`
      const previous = known ?? cache.get(cacheKey(id, locale))
      const isSame = previous !== undefined && isRepresentationOf(previous.representation, serialized)
      if (isSame && key === undefined) return previous

      const published = isSame
        ? { ...previous, key, markdown: undefined }
        : renew(represent(resource, serialized, key, locale), key, previous)
      const { entityText, itemText } = published.representation
      cache.set(
        cacheKey(id, locale),
        published,
        OVERHEAD_BYTES + COPIES * (entityText.length + itemText.length),
      )
      return published
    },
  }
}

function serializeRecord(resource: Resource, record: unknown, locale: string | undefined): SerializedEntity {
  try {
    return requireSynchronous(resource.serialize(record, locale === undefined ? {} : { locale }), 'serialize')
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
