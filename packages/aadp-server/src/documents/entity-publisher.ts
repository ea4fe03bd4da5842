import { sha256Hex } from '@doorplate/aadp-schemas/canonical-json'
import type { DeliveryPolicy } from '../config/delivery-policy.js'
import { OperationFailure } from '../errors/fault.js'
import { andThen, type MaybePromise } from '../upstream/maybe-promise.js'
import { createDocument, type DocumentDescription, type PublishedDocument } from './published-document.js'
import type { PublishedRecord, RecordPublisher } from './record-publisher.js'
import type { RequestContext } from '../upstream/request-context.js'
import type { Resource } from '../config/resource-config.js'
import { notFound } from '../errors/server-error.js'
import type { Upstream } from '../upstream/upstream.js'

export type EntityForm = 'json' | 'markdown'

export interface EntityPublisher {
  /** One entity in a form that its resource has. @param name the part of the id after `type:` */
  publish(
    resource: Resource,
    name: string,
    locale: string | undefined,
    form: EntityForm,
    context: RequestContext,
  ): MaybePromise<PublishedDocument>
}

export function createEntityPublisher(
  upstream: Upstream,
  records: RecordPublisher,
  delivery: DeliveryPolicy,
): EntityPublisher {
  function describe(
    resource: Resource,
    published: PublishedRecord,
  ): Omit<DocumentDescription, 'text' | 'contentType' | 'tag'> {
    const { updatedAtMs, locale } = published.representation
    return {
      lastModifiedMs: updatedAtMs,
      unchangedSinceMs: published.unchangedSinceMs,
      cacheControl: delivery.cacheControl(resource),
      vary: [...(resource.locales ? ['Accept-Language'] : []), ...(resource.markdown ? ['Accept'] : [])],
      contentLanguage: locale,
    }
  }

  function createJson(resource: Resource, published: PublishedRecord): PublishedDocument {
    const { entityText, checksum } = published.representation
    return createDocument({
      ...describe(resource, published),
      text: entityText,
      contentType: 'application/json',
      tag: checksum,
    })
  }

  async function createMarkdown(
    resource: Resource,
    record: unknown,
    published: PublishedRecord,
    locale: string | undefined,
  ): Promise<PublishedDocument> {
    try {
      const text: unknown = await resource.markdown?.(record, locale === undefined ? {} : { locale })
      if (typeof text !== 'string') throw new TypeError('markdown must return a string')
      return createDocument({
        ...describe(resource, published),
        // The record may have changed in what only this form shows.
        unchangedSinceMs: Infinity,
        text,
        contentType: 'text/markdown; charset=utf-8',
        tag: `sha256:${sha256Hex(text)}`,
      })
    } catch (error) {
      throw new OperationFailure(error, 'markdown', { type: resource.type, id: published.representation.id })
    }
  }

  function publishRecord(
    resource: Resource,
    name: string,
    record: unknown,
    locale: string | undefined,
    form: EntityForm,
  ): MaybePromise<PublishedDocument> {
    if (record === undefined || record === null) throw notFound()
    const published = records.publish(resource, record, locale)
    if (published.representation.id !== `${resource.type}:${name}`) throw notFound()
    if (form === 'json') return (published.json ??= createJson(resource, published))
    if (published.markdown !== undefined) return published.markdown
    const document = createMarkdown(resource, record, published, locale)
    if (published.key === undefined) return document
    return document.then((markdown) => (published.markdown = markdown))
  }

  return {
    publish: (resource, name, locale, form, context) =>
      andThen(upstream.get(resource, name, locale, context), (record) =>
        publishRecord(resource, name, record, locale, form),
      ),
  }
}
