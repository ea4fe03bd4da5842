import type { RecordDocument } from './knowledge-document.js'

/** What is used of an AADP entity, as `discoverAllEntities` of `@doorplate/aadp-client` yields them. */
export interface PublishedEntity {
  readonly id: string
  readonly canonical_url?: string
  readonly locale?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An AADP entity as a document, to be asked about by its fields. */
export function documentOfEntity({ id, canonical_url, locale, data }: PublishedEntity): RecordDocument {
  return {
    id,
    format: 'record',
    content: data,
    ...(canonical_url !== undefined && { url: canonical_url }),
    ...(locale !== undefined && { language: locale }),
  }
}

/** Each entity of a site as a document: `createKnowledge({ documents: documentsOfEntities(discoverAllEntities(origin)) })`. */
export async function* documentsOfEntities(
  entities: AsyncIterable<PublishedEntity> | Iterable<PublishedEntity>,
): AsyncGenerator<RecordDocument, void, undefined> {
  for await (const entity of entities) yield documentOfEntity(entity)
}
