import { isExtensionKey } from '@doorplate/aadp-schemas'
import { canonicalize, isCanonicalJsonError, sha256Hex } from '@doorplate/aadp-schemas/canonical-json'
import { objectText } from './canonical-object.js'
import { isLocale } from '../config/locale.js'
import type { SerializedEntity } from '../config/resource-config.js'
import { parseUrl } from '../config/parse-url.js'
import { isSameJson } from './same-json.js'
import { isDate, readTimestamp } from '../config/timestamp.js'
import { UnpublishableRecordError } from '../errors/unpublishable-record-error.js'

const MAX_NAME_LENGTH = 512
const NAME_GRAMMAR = /^[a-z][a-z0-9_-]*$/
/** What a name must be, for messages. */
export const ENTITY_NAME_RULE: string = `must match ${NAME_GRAMMAR.source} and have at most ${String(MAX_NAME_LENGTH)} characters`

/** What is published of one record in one locale. */
export interface EntityRepresentation {
  readonly id: string
  readonly checksum: string
  readonly updatedAtMs: number
  readonly locale: string | undefined
  /** Canonical JSON of the entity document. */
  readonly entityText: string
  /** Canonical JSON of its item in a sitemap. */
  readonly itemText: string
  /** What `serialize` gave, to tell whether it gives the same again. */
  readonly source: EntitySource
}

/** The parts of a serialised entity, `data` and `extensions` as the JSON that came out of them. */
interface EntitySource {
  /** Text as it was given, a `Date` in milliseconds. */
  readonly updatedAt: string | number
  readonly canonicalUrl: string | undefined
  readonly locale: string | undefined
  readonly data: unknown
  readonly extensions: unknown
}

export interface EntityPlace {
  readonly type: string
  /** Base of a relative `canonicalUrl`. */
  readonly origin: string
  /** The negotiated locale. */
  readonly locale: string | undefined
  /** URL of the entity with this name. */
  readonly urlOf: (name: string) => string
}

/** Throws `UnpublishableRecordError` when the record is not a valid entity of this type. */
export function buildEntityRepresentation(
  serialized: SerializedEntity,
  place: EntityPlace,
): EntityRepresentation {
  const parts: unknown = serialized
  if (!isRecord(parts)) throw new UnpublishableRecordError('serialize', 'must return an object')
  const name = checkId(parts['id'], place.type)
  const updatedAt = readTimestamp(parts['updatedAt'])
  if (updatedAt === undefined) {
    throw new UnpublishableRecordError(
      'updatedAt',
      'must be a valid Date, or RFC 3339 text with time and zone such as 2026-01-31T09:00:00Z',
    )
  }
  const locale = checkLocale(parts['locale'] ?? place.locale)
  const canonicalUrl = resolveCanonicalUrl(parts['canonicalUrl'], place.origin)
  const dataText = toCanonicalText('data', parts['data'])
  const extensions = canonicalExtensions(parts['extensions'])
  const id = `${place.type}:${name}`
  const checksum = `sha256:${sha256Hex(dataText)}`
  const updatedAtText = JSON.stringify(updatedAt.text)
  return {
    id,
    checksum,
    updatedAtMs: updatedAt.timeMs,
    locale,
    entityText: objectText([
      ['aadp_version', '"1.0"'],
      ['canonical_url', canonicalUrl && JSON.stringify(canonicalUrl)],
      ['checksum', `"${checksum}"`],
      ['data', dataText],
      ['id', `"${id}"`],
      ['locale', locale && `"${locale}"`],
      ['type', `"${place.type}"`],
      ['updated_at', updatedAtText],
      ...extensions,
    ]),
    itemText: objectText([
      ['checksum', `"${checksum}"`],
      ['id', `"${id}"`],
      ['updated_at', updatedAtText],
      ['url', JSON.stringify(place.urlOf(name))],
    ]),
    source: {
      updatedAt: comparableTime(serialized.updatedAt),
      canonicalUrl: serialized.canonicalUrl,
      locale: serialized.locale,
      data: JSON.parse(dataText),
      extensions:
        serialized.extensions && Object.fromEntries(extensions.map(([key, text]) => [key, JSON.parse(text)])),
    },
  }
}

/** True when a record serialised just now would give exactly this representation again. */
export function isRepresentationOf(
  representation: EntityRepresentation,
  serialized: SerializedEntity,
): boolean {
  const { source } = representation
  return (
    isRecord(serialized) &&
    serialized.id === representation.id &&
    comparableTime(serialized.updatedAt) === source.updatedAt &&
    serialized.canonicalUrl === source.canonicalUrl &&
    serialized.locale === source.locale &&
    isSameJson(serialized.data, source.data) &&
    isSameJson(serialized.extensions, source.extensions)
  )
}

function comparableTime(time: string | Date): string | number {
  return isDate(time) ? time.getTime() : time
}

function checkId(id: unknown, type: string): string {
  const prefix = `${type}:`
  if (typeof id !== 'string' || !id.startsWith(prefix))
    throw new UnpublishableRecordError('id', `must start with "${prefix}"`)
  const name = id.slice(prefix.length)
  if (isEntityName(name)) return name
  throw new UnpublishableRecordError(
    'id',
    `what follows "${prefix}" ${ENTITY_NAME_RULE}, such as "n-42" for 42`,
  )
}

/** True for the part of an entity id after `type:`. */
export function isEntityName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= MAX_NAME_LENGTH && NAME_GRAMMAR.test(name)
}

function checkLocale(locale: unknown): string | undefined {
  if (locale === undefined || (typeof locale === 'string' && isLocale(locale))) return locale
  throw new UnpublishableRecordError('locale', 'must be a BCP 47 tag such as "vi" or "pt-BR"')
}

function resolveCanonicalUrl(canonicalUrl: unknown, origin: string): string | undefined {
  if (canonicalUrl === undefined) return undefined
  const url = typeof canonicalUrl === 'string' ? parseUrl(canonicalUrl, `${origin}/`) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UnpublishableRecordError(
      'canonicalUrl',
      'must be an http or https URL, absolute or relative to baseUrl',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new UnpublishableRecordError('canonicalUrl', 'must not hold a user name or password')
  }
  return url.href
}

function canonicalExtensions(extensions: unknown): [string, string][] {
  if (extensions === undefined) return []
  const text = toCanonicalText('extensions', extensions)
  return Object.entries(JSON.parse(text) as Record<string, unknown>).map(([key, value]) => {
    if (isExtensionKey(key)) return [key, canonicalize(value)]
    throw new UnpublishableRecordError(
      `extensions/${key}`,
      'must be named x_ and letters, digits or underscores',
    )
  })
}

function toCanonicalText(member: string, value: unknown): string {
  if (!isRecord(value)) throw new UnpublishableRecordError(member, 'must be a plain object')
  try {
    return canonicalize(value)
  } catch (error) {
    if (!isCanonicalJsonError(error)) throw error
    throw new UnpublishableRecordError(member + error.path, error.message, { cause: error })
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
