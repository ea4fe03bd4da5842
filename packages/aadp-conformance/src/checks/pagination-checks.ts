import type { SitemapV1 } from '@doorplate/aadp-schemas'
import { counted, judged, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { readDocument } from '../site/read-document.js'
import type { Site } from '../site/site.js'
import type { SitemapWalk } from '../site/walk-sitemap.js'
import { refusalFindings } from './error-checks.js'
import { conclude, type SiteCheck } from './site-check.js'

/** How the pages of a sitemap hang together. */
export function paginationChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'pagination.contract',
      title: 'Every sitemap ends, no cursor comes back and no id is listed twice',
      requirements: [rule('PAGE-006'), rule('PAGE-007'), rule('MAP-017')],
      needs: ['traversal.sitemap'],
      hint: 'Order by something that does not change, let the cursor name the last item of a page, end with null.',
      run: async (site) => {
        const { walks, cutShort } = await site.sitemaps()
        const findings = walks.flatMap((walk) => [...walk.cursorFindings, ...repeatedIds(walk, site)])
        return conclude(findings, cutShort)
      },
    },
    {
      id: 'pagination.last_cursor',
      title: 'The last page says so with a cursor whose next is null',
      requirements: [rule('PAGE-014')],
      needs: ['traversal.sitemap'],
      hint: 'Send "cursor": { "next": null } on the last page.',
      run: async (site) => {
        const { walks, cutShort } = await site.sitemaps()
        return conclude(
          walks.flatMap((walk) => walk.endFindings),
          cutShort,
        )
      },
    },
    {
      id: 'pagination.bad_cursor',
      title: 'A cursor that the site did not issue is answered with 400 and invalid_request',
      requirements: [rule('PAGE-015')],
      needs: ['traversal.sitemap'],
      hint: 'Sign cursors or check their form; never fall back to the first page, which makes readers go round in circles.',
      run: async (site) => {
        const { badCursor } = await site.errors()
        const expected = { status: 400, code: 'invalid_request', number: 'PAGE-015' }
        return judged(badCursor === undefined ? [] : refusalFindings(site, badCursor, expected))
      },
    },
    {
      id: 'pagination.page_size_cap',
      title: 'Asking for a large page is neither granted nor refused',
      requirements: [rule('PAGE-001'), rule('PAGE-003')],
      needs: ['traversal.sitemap'],
      hint: 'Lower a page size over 100 to 100; ignore parameters that you do not know.',
      run: judgePageSize,
    },
  ]
}

function repeatedIds({ items }: SitemapWalk, { rule }: Site): readonly Finding[] {
  const seen = new Set<string>()
  const findings: Finding[] = []
  for (const { id, pageUrl } of items) {
    if (seen.has(id)) {
      findings.push({
        requirement: rule('MAP-017'),
        url: pageUrl,
        message: `${id} is listed twice in this sitemap.`,
      })
    }
    seen.add(id)
  }
  return findings
}

/** The protocol names no parameter for the size of a page; these are the names in use. */
const SIZE_PARAMETERS = ['limit', 'page_size', 'per_page']

async function judgePageSize(site: Site): Promise<Outcome> {
  const { walks } = await site.sitemaps()
  const longest = walks.toSorted((left, right) => right.items.length - left.items.length)[0]
  if (longest === undefined) return judged([])
  const url = new URL(longest.entry.url)
  for (const name of SIZE_PARAMETERS) url.searchParams.set(name, '1000')
  const reading = await readDocument(site.log, { url: url.href })
  const { status, data } = reading
  const finding = (number: string, message: string, advisory: boolean): Outcome =>
    judged([{ requirement: site.rule(number), url: url.href, message, advisory }])
  if (status !== 200)
    return finding(
      'PAGE-003',
      `Asked for 1,000 items the site answers with status ${status ?? 'none'}.`,
      true,
    )
  const items: unknown = (data as Partial<SitemapV1> | null | undefined)?.items
  const size = Array.isArray(items) ? items.length : 0
  if (size > 100) return finding('PAGE-001', `Asked for 1,000 items the site sends ${size}.`, false)
  return judged([], counted(size, 'item'))
}
