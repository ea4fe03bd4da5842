import {
  createDiscoveryBudget,
  discover,
  fetchEntity,
  fetchSitemap,
  fetchSitemapIndex,
  isAadpClientError,
  type ClientOptions,
  type ManifestV1,
  type SitemapItemV1,
} from '@doorplate/aadp-client'
import type { Failure } from './failure.js'

/** What is published over AADP: everything at the top, and the beginning of each branch. */
export interface ReadTree {
  readonly manifest: ManifestV1
  readonly types: readonly TypeBranch[]
  /** Types that the index lists besides. */
  readonly omittedTypes: number
}

export interface TypeBranch {
  readonly type: string
  readonly url: string
  /** As the index counts them. */
  readonly count?: number
  /** The id of the scheme that protects it. */
  readonly security?: string
  /** Why the list could not be read. */
  readonly failure?: Failure
  /** The first ones. */
  readonly items: readonly SitemapItemV1[]
  readonly hasMore: boolean
  /** The first entity, read and verified. */
  readonly sample?: Sample
}

export type Sample =
  | { readonly id: string; readonly url: string; readonly checksum: string; readonly title?: string }
  | { readonly id: string; readonly url: string; readonly failure: Failure }

const MAX_TYPES = 12
const MAX_ITEMS = 5
const LIMITS = { maxRequests: 40, maxTotalBytes: 8_388_608, deadlineMs: 20_000 }

/** Reads manifest, index, and of each type the first page and the first entity. Throws an `AadpClientError` where nothing can be read. */
export async function readTree(
  url: string,
  { fetch, signal }: Required<Pick<ClientOptions, 'fetch' | 'signal'>>,
): Promise<ReadTree> {
  const budget = createDiscoveryBudget(LIMITS)
  const options: ClientOptions = { fetch, signal, budget, timeoutMs: 8000, maxConcurrencyPerOrigin: 4 }
  const manifest = await discover(url, options)
  const { sitemaps } = await fetchSitemapIndex(manifest.discovery.sitemap_index, options)
  const types = await Promise.all(
    sitemaps.slice(0, MAX_TYPES).map(async ({ type, url, count }) => {
      const security = manifest.resources?.find((resource) => resource.type === type)?.security
      return {
        ...{ type, url, ...(count === undefined ? {} : { count }) },
        ...(security === undefined ? {} : { security }),
        ...(await readBranch(url, options)),
      }
    }),
  )
  return { manifest, types, omittedTypes: Math.max(0, sitemaps.length - MAX_TYPES) }
}

async function readBranch(
  url: string,
  options: ClientOptions,
): Promise<Pick<TypeBranch, 'failure' | 'items' | 'hasMore' | 'sample'>> {
  try {
    const { items, cursor } = await fetchSitemap(url, null, options)
    const [first] = items
    return {
      items: items.slice(0, MAX_ITEMS),
      hasMore: items.length > MAX_ITEMS || (cursor?.next ?? null) !== null,
      ...(first === undefined ? {} : { sample: await readSample(first, options) }),
    }
  } catch (error) {
    return { items: [], hasMore: false, failure: failureOf(error) }
  }
}

async function readSample({ id, url, checksum }: SitemapItemV1, options: ClientOptions): Promise<Sample> {
  try {
    const entity = await fetchEntity(url, options)
    if (entity.id !== id || entity.checksum !== checksum)
      return { id, url, failure: { code: 'integrity_mismatch', message: 'It is not what its list says.' } }
    const { title } = entity.data
    return { id, url, checksum, ...(typeof title === 'string' ? { title: title.slice(0, 200) } : {}) }
  } catch (error) {
    return { id, url, failure: failureOf(error) }
  }
}

/** An abort, and whatever is not an answer of the site, ends the reading. */
function failureOf(error: unknown): Failure {
  if (!isAadpClientError(error)) throw error
  return { code: error.code, message: error.message }
}
