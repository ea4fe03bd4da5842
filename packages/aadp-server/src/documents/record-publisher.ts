import type { ByteLruCache } from './byte-lru-cache.js'
import {
  buildEntityRepresentation,
  type EntityRepresentation,
  isRepresentationOf,
} from '../records/entity-representation.js'
import { OperationFailure } from '../errors/fault.js'
import { laterThanAny } from './conditional-request.js'
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
  readonly resource: Resource
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
    const representation = buildEntityRepresentation(serialized, { type, origin, locale, urlOf })
    if (key === undefined || `${type}:${key.name}` === representation.id) return representation
    throw new UnpublishableRecordError('id', 'serialize and identify must give the same name')
  }

  function renew(
    resource: Resource,
    representation: EntityRepresentation,
    key: RecordKey | undefined,
    previous: PublishedRecord | undefined,
  ): PublishedRecord {
    const { updatedAtMs } = representation
    if (previous === undefined) return { resource, representation, key, unchangedSinceMs: updatedAtMs }
    const dates = {
      lastModifiedMs: previous.representation.updatedAtMs,
      unchangedSinceMs: previous.unchangedSinceMs,
    }
    return { resource, representation, key, unchangedSinceMs: laterThanAny(dates, now()) }
  }

  /** What was published of the record before; a record may give itself an id that belongs to another resource. */
  function previousOf(
    resource: Resource,
    id: unknown,
    locale: string | undefined,
  ): PublishedRecord | undefined {
    const previous = typeof id === 'string' ? cache.get(cacheKey(id, locale)) : undefined
    return previous?.resource === resource ? previous : undefined
  }

  /** @param known what was published under the same key, in another state */
  function publishSerialized(
    resource: Resource,
    serialized: SerializedEntity,
    key: RecordKey | undefined,
    known: PublishedRecord | undefined,
    locale: string | undefined,
  ): PublishedRecord {
    const id: unknown =
      key === undefined
        ? (serialized as Partial<SerializedEntity> | null)?.id
        : `${resource.type}:${key.name}`
    const previous = known ?? previousOf(resource, id, locale)
    const isSame = previous !== undefined && isRepresentationOf(previous.representation, serialized)
    if (isSame && key === undefined) return previous

    const published = isSame
      ? { ...previous, key, markdown: undefined }
      : renew(resource, represent(resource, serialized, key, locale), key, previous)
    const { id: publishedId, entityText, itemText } = published.representation
    cache.set(
      cacheKey(publishedId, locale),
      published,
      OVERHEAD_BYTES + COPIES * (entityText.length + itemText.length),
    )
    return published
  }

  return {
    publish(resource, record, locale) {
      const { type } = resource
      const key = readRecordKey(resource, record)
      const known = key && cache.get(cacheKey(`${type}:${key.name}`, locale))
      if (known !== undefined && known.key?.version === key?.version) return known

      const serialized = serializeRecord(resource, record, locale)
      try {
        return publishSerialized(resource, serialized, key, known, locale)
      } catch (error) {
        throw new OperationFailure(error, 'publish', { type, ...placeOf(serialized) })
      }
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

/** The id for the report of a record that may not even let itself be read. */
function placeOf(serialized: unknown): { readonly id?: string } {
  try {
    const { id } = serialized as { readonly id?: unknown }
    return typeof id === 'string' ? { id } : {}
  } catch {
    return {}
  }
}

function cacheKey(id: string, locale: string | undefined): string {
  return locale === undefined ? id : `${id} ${locale}`
}
