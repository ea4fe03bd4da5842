import type { EntityV1, ManifestV1, SitemapIndexV1, SitemapV1 } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import type { AadpServer } from '@doorplate/aadp-server'
import { exchange, fieldOf, type Exchange } from '../exchange.js'
import { entityOf } from '../routes.js'

/** What is published over AADP, as whoever has no credential is given it. */
export interface Catalogue {
  types(): Promise<readonly CatalogueType[]>
  /** A page of a type; undefined where there is no such type or cursor. */
  page(type: string, cursor: string | undefined): Promise<CataloguePage | undefined>
  entity(name: EntityName): Promise<CatalogueEntity | undefined>
}

export interface CatalogueType {
  readonly type: string
  readonly count: number | undefined
  /** What protects it; absent: it is open. */
  readonly protection: Protection | undefined
}

export interface Protection {
  readonly scheme: string
  /** What is said of it in the manifest. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface CataloguePage {
  readonly type: CatalogueType
  readonly exchange: Exchange
  /** Absent where it is refused. */
  readonly items: readonly {
    readonly id: string
    readonly title: string | undefined
    readonly updatedAt: string
  }[]
  readonly nextCursor: string | undefined
}

export interface EntityName {
  readonly type: string
  readonly slug: string
  readonly locale: string | undefined
}

export interface CatalogueEntity {
  readonly exchange: Exchange
  readonly protection: Protection | undefined
  /** Absent where it is refused. */
  readonly document: EntityV1 | undefined
  /** Of its data, as this server computes it now. */
  readonly computedChecksum: string | undefined
  /** Languages that it can be had in. */
  readonly locales: readonly string[]
}

const REFUSED: ReadonlySet<number> = new Set([401, 403])

export function createCatalogue(aadp: AadpServer, { origin }: { readonly origin: string }): Catalogue {
  const get = (path: string): Promise<Exchange> =>
    exchange((request) => aadp.handleRequest(request), { path }, { origin })

  async function types(): Promise<readonly CatalogueType[]> {
    const { sitemaps } = await index()
    const manifest = aadp.manifest()
    return sitemaps.map(({ type, count }) => ({ type, count, protection: protectionOf(type, manifest) }))
  }

  async function index(): Promise<SitemapIndexV1> {
    const { pathname } = new URL(aadp.manifest().discovery.sitemap_index)
    return parsed(await get(pathname)) as SitemapIndexV1
  }

  async function page(name: string, cursor: string | undefined): Promise<CataloguePage | undefined> {
    const { sitemaps } = await index()
    const listed = sitemaps.find(({ type }) => type === name)
    if (listed === undefined) return undefined
    const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor }).toString()}`
    const answer = await get(new URL(listed.url).pathname + query)
    const { type, count } = listed
    const about = { type, count, protection: protectionOf(type, aadp.manifest()) }
    if (REFUSED.has(answer.status)) return { type: about, exchange: answer, items: [], nextCursor: undefined }
    if (answer.status !== 200) return undefined
    const sitemap = parsed(answer) as SitemapV1
    const items = await Promise.all(
      sitemap.items.map(async ({ id, url, updated_at: updatedAt }) => {
        const { data } = parsed(await get(new URL(url).pathname)) as EntityV1
        const { title } = Object(data) as { readonly title?: unknown }
        return { id, updatedAt, title: typeof title === 'string' ? title : undefined }
      }),
    )
    return { type: about, exchange: answer, items, nextCursor: sitemap.cursor?.next ?? undefined }
  }

  async function entity({ type, slug, locale }: EntityName): Promise<CatalogueEntity | undefined> {
    const manifest = aadp.manifest()
    const query = locale === undefined ? '' : `?${new URLSearchParams({ locale }).toString()}`
    const answer = await get(
      entityOf({ type: encodeURIComponent(type), slug: encodeURIComponent(slug) }) + query,
    )
    const protection = protectionOf(type, manifest)
    const refused = {
      exchange: answer,
      protection,
      document: undefined,
      computedChecksum: undefined,
      locales: [],
    }
    if (REFUSED.has(answer.status)) return refused
    if (answer.status !== 200) return undefined
    const document = parsed(answer) as EntityV1
    return {
      ...{ exchange: answer, protection, document, computedChecksum: checksumOf(document.data) },
      locales: isLocalised(answer) ? (manifest.usage_guidance?.available_languages ?? []) : [],
    }
  }

  return { types, page, entity }
}

function parsed({ body }: Exchange): unknown {
  return JSON.parse(body)
}

function protectionOf(
  type: string,
  { resources, security_schemes: schemes }: ManifestV1,
): Protection | undefined {
  const scheme = resources?.find((resource) => resource.type === type)?.security
  if (scheme === undefined) return undefined
  const declared = schemes !== undefined && Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined
  return declared?.type === 'none' ? undefined : { scheme, details: { ...declared } }
}

/** An answer that depends on the language that is preferred is one of several. */
function isLocalised(answer: Exchange): boolean {
  return /(^|,)\s*accept-language\s*(,|$)/i.test(fieldOf(answer, 'vary') ?? '')
}
