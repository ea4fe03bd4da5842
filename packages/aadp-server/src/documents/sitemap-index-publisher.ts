import { canonicalize, sha256Hex } from '@doorplate/aadp-schemas/canonical-json'
import { objectText } from '../records/canonical-object.js'
import type { Settings } from '../config/check-config.js'
import { isCount } from '../config/define-resource.js'
import type { DeliveryPolicy } from '../config/delivery-policy.js'
import { OperationFailure, reportFault } from '../errors/fault.js'
import { laterThanAny } from './conditional-request.js'
import type { MaybePromise } from '../upstream/maybe-promise.js'
import { createDocument, type PublishedDocument } from './published-document.js'
import type { RequestContext } from '../upstream/request-context.js'
import type { Resource } from '../config/resource-config.js'
import type { RouteTable } from '../routes/route-table.js'
import type { Upstream } from '../upstream/upstream.js'

export interface SitemapIndexPublisher {
  publish(context: RequestContext): MaybePromise<PublishedDocument>
}

/** The index changes only when a count does; `generated_at` is when this content was first seen. */
export function createSitemapIndexPublisher(
  settings: Settings,
  upstream: Upstream,
  routes: RouteTable,
  delivery: DeliveryPolicy,
): SitemapIndexPublisher {
  const resources = [...settings.resources.values()]
  const isFixed = resources.every(({ count }) => typeof count !== 'function')
  let last: { readonly sitemapsText: string; readonly document: PublishedDocument } | undefined

  async function countOf(resource: Resource, context: RequestContext): Promise<number | undefined> {
    try {
      const count = await upstream.count(resource, context)
      if (count === undefined || isCount(count)) return count
      throw new OperationFailure(new TypeError('count must give a whole number'), 'count', {
        type: resource.type,
      })
    } catch (error) {
      reportFault(settings, error, 'count_omitted', context)
      return undefined
    }
  }

  function publishCounts(counts: readonly (number | undefined)[]): PublishedDocument {
    const sitemapsText = canonicalize(
      resources.map(({ type }, index) => ({
        type,
        url: routes.url('sitemap', { type }),
        ...(counts[index] !== undefined && { count: counts[index] }),
      })),
    )
    if (last?.sitemapsText === sitemapsText) return last.document
    const nowMs = settings.now()
    const generatedAt =
      (last === undefined ? settings.lastModified?.text : undefined) ?? new Date(nowMs).toISOString()
    const changedAtMs = last && laterThanAny(last.document, nowMs)
    const document = createIndexDocument(sitemapsText, generatedAt, changedAtMs, delivery.publicCacheControl)
    last = { sitemapsText, document }
    return document
  }

  return {
    publish(context) {
      if (isFixed)
        return last?.document ?? publishCounts(resources.map(({ count }) => count as number | undefined))
      return Promise.all(resources.map((resource) => countOf(resource, context))).then(publishCounts)
    },
  }
}

function createIndexDocument(
  sitemapsText: string,
  generatedAt: string,
  changedAtMs: number | undefined,
  cacheControl: string,
): PublishedDocument {
  const checksum = `sha256:${sha256Hex(sitemapsText)}`
  return createDocument({
    text: objectText([
      ['aadp_version', '"1.0"'],
      ['checksum', `"${checksum}"`],
      ['generated_at', `"${generatedAt}"`],
      ['sitemaps', sitemapsText],
    ]),
    contentType: 'application/json',
    tag: checksum,
    lastModifiedMs: Date.parse(generatedAt),
    unchangedSinceMs: changedAtMs,
    cacheControl,
  })
}
