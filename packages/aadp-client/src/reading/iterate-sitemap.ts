import type { AadpVersion, SitemapItemV1 } from '@doorplate/aadp-schemas'
import { Budget, BUDGET_OPTIONS, type DiscoveryBudget } from '../options/budget.js'
import type { MemberNames } from '../options/check-option.js'
import { CLIENT_OPTIONS, resolveClientOptions, type ClientOptions } from '../options/client-options.js'
import { httpUrl } from '../documents/http-url.js'
import { Reader } from './reader.js'
import { CursorTrail, pageUrl, requireNamespace, requireType } from '../documents/sitemap-rules.js'
import type { Wire } from '../documents/wire.js'

export interface IterateSitemapOptions extends ClientOptions, DiscoveryBudget {
  /** The type that the sitemap must have. Default: any. */
  readonly expectedType?: string
}

const ITERATE_OPTIONS: MemberNames<IterateSitemapOptions> = {
  ...CLIENT_OPTIONS,
  ...BUDGET_OPTIONS,
  expectedType: true,
}

/** The items of all pages of a sitemap in their order, each id once. */
export async function* iterateSitemapItems(
  wire: Wire<AadpVersion>,
  sitemapUrl: string,
  options: IterateSitemapOptions,
): AsyncGenerator<SitemapItemV1, void, undefined> {
  const resolved = resolveClientOptions(options, ITERATE_OPTIONS)
  const reader = new Reader(wire, sitemapUrl, {
    ...resolved,
    budget: resolved.budget ?? new Budget(options, resolved.now),
  })
  const firstUrl = httpUrl(sitemapUrl).href
  const trail = new CursorTrail()
  const seen = new Set<string>()
  let type = options.expectedType
  let cursor: string | null = null
  do {
    const url = pageUrl(firstUrl, cursor)
    reader.budget.chargePage()
    const page = await reader.document('sitemap', url)
    type ??= page.type
    requireType(page, type, url)
    for (const item of page.items) {
      requireNamespace(item.id, type, url)
      if (seen.has(item.id)) continue
      seen.add(item.id)
      yield item
    }
    cursor = trail.next(page, url)
  } while (cursor !== null)
}
