import { languageTag } from '../text/language.js'
import { isPlace } from './is-place.js'
import type { RecordDocument } from './knowledge-document.js'

/** What is used of an AADP entity, as `discoverAllEntities` of `@doorplate/aadp-client` yields them. */
export interface PublishedEntity {
  readonly id: string
  readonly canonical_url?: string
  readonly locale?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An AADP entity as a document, to be asked about by its fields. An address or a language that is none is left out. */
function documentOfEntity({ id, canonical_url, locale, data }: PublishedEntity): RecordDocument {
  const language = locale === undefined ? undefined : languageTag(locale)
  return {
    id,
    format: 'record',
    content: data,
    ...(isPlace(canonical_url) && { url: canonical_url }),
    ...(language !== undefined && { language }),
  }
}

/** Each entity of a site as a document: `createKnowledge({ documents: documentsOfEntities(discoverAllEntities(origin)) })`. */
export async function* documentsOfEntities(
  entities: AsyncIterable<PublishedEntity> | Iterable<PublishedEntity>,
): AsyncGenerator<RecordDocument, void, undefined> {
  for await (const entity of entities) yield documentOfEntity(entity)
}
