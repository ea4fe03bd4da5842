import type { SitemapIndexEntryV1, SitemapV1 } from '@doorplate/aadp-schemas'
import { counted, type Finding, type RequestLog } from '@doorplate/conformance-kit'
import { examineChecksum, examineUse, type Standard } from './examine-document.js'
import {
  examineProtection,
  examineTime,
  examineTransport,
  examineValidators,
  withheld,
} from './examine-headers.js'
import { examination, type Examination } from './examination.js'
import type { PageBudget } from './page-budget.js'
import { readWithinBudget, type DocumentReading } from './read-document.js'

/** One item of a sitemap, with the page that lists it. */
export interface ListedItem {
  readonly id: string
  readonly url: string
  readonly updatedAt: string
  readonly checksum: string
  readonly pageUrl: string
}

/** All that is to be known of one sitemap after its pages were read. */
export interface SitemapWalk {
  readonly entry: SitemapIndexEntryV1
  readonly isProtected: boolean
  readonly items: readonly ListedItem[]
  readonly examinations: readonly Examination[]
  /** How the pages hang together: cursors that are empty or come back. */
  readonly cursorFindings: readonly Finding[]
  /** A last page without a cursor. */
  readonly endFindings: readonly Finding[]
  readonly firstPage?: DocumentReading
  /** Why it was not read to its end, when a budget did not allow it. */
  readonly cutShort?: string
}

export interface WalkContext {
  readonly log: RequestLog
  readonly standard: Standard
  readonly pages: PageBudget
  readonly isProtected: boolean
}

/** Reads a sitemap page by page until its end, a fault or the end of a budget. */
export async function walkSitemap(entry: SitemapIndexEntryV1, context: WalkContext): Promise<SitemapWalk> {
  const { log, standard, pages, isProtected } = context
  const items: ListedItem[] = []
  const examinations: Examination[] = []
  const followed = new Set<string>()
  const walked = { entry, isProtected, items, examinations, cursorFindings: [], endFindings: [] }
  let firstPage: DocumentReading | undefined
  let url = entry.url
  const ended = (more: Partial<SitemapWalk>): SitemapWalk => ({
    ...walked,
    ...(firstPage && { firstPage }),
    ...more,
  })
  for (;;) {
    if (!pages.take())
      return ended({ cutShort: `The run has used up its ${counted(pages.maxPages, 'page')}.` })
    const reading = await readWithinBudget(log, { url })
    if ('cutShort' in reading) return ended(reading)
    const reason = withheld(reading, entry.type, isProtected)
    if (reason !== undefined) return ended({ cutShort: reason })
    firstPage ??= reading
    const page = examinePage(reading, entry, context)
    examinations.push(page.examination)
    if (page.document === undefined) return ended({})
    for (const item of page.document.items) items.push(toListedItem(item, url))
    const next = page.document.cursor?.next
    if (page.document.cursor === undefined) return ended({ endFindings: [withoutCursor(url, standard)] })
    if (next == null) return ended({})
    const fault = cursorFault(next, followed, url, standard)
    if (fault !== undefined) return ended({ cursorFindings: [fault] })
    followed.add(next)
    url = withCursor(entry.url, next)
  }
}

/** The URL of a page: the cursor replaces one that the URL may have, the rest of the URL stays (PAGE-010). */
export function withCursor(sitemapUrl: string, cursor: string): string {
  const url = new URL(sitemapUrl)
  url.searchParams.set('cursor', cursor)
  return url.href
}

interface ExaminedPage {
  readonly examination: Examination
  /** Absent when the page cannot be used. */
  readonly document?: SitemapV1
}

function examinePage(
  reading: DocumentReading,
  entry: SitemapIndexEntryV1,
  context: WalkContext,
): ExaminedPage {
  const { standard, isProtected } = context
  const transport = examineTransport(reading, 'sitemap', standard)
  const unusable = examineUse(reading, 'sitemap', standard)
  if (unusable.length > 0) return { examination: examination('sitemap', transport, { document: unusable }) }
  const document = reading.data as SitemapV1
  const { url } = reading
  const sides = {
    document: [
      ...examineChecksum(url, document.checksum, document.items, standard.rule('MAP-014')),
      ...examineType(url, document.type, entry, standard),
    ],
    validators: examineValidators(
      reading,
      { checksum: document.checksum, time: document.generated_at },
      standard,
    ),
    times: examineTimes(url, document, standard),
    protection: isProtected ? examineProtection(reading, entry.type, standard) : [],
  }
  return { examination: examination('sitemap', transport, sides), document }
}

function examineType(
  url: string,
  type: string,
  entry: SitemapIndexEntryV1,
  { rule }: Standard,
): readonly Finding[] {
  if (type === entry.type) return []
  const message = `The page is of type ${type}; the index says ${entry.type}.`
  return [{ requirement: rule('MAP-015'), url, pointer: '/type', message }]
}

function examineTimes(url: string, page: SitemapV1, standard: Standard): readonly Finding[] {
  const ofItems = page.items.flatMap((item, index) =>
    examineTime(url, `/items/${index}/updated_at`, item.updated_at, standard),
  )
  return [...examineTime(url, '/generated_at', page.generated_at, standard), ...ofItems]
}

function toListedItem(item: SitemapV1['items'][number], pageUrl: string): ListedItem {
  return { id: item.id, url: item.url, updatedAt: item.updated_at, checksum: item.checksum, pageUrl }
}

function withoutCursor(url: string, { rule }: Standard): Finding {
  return {
    requirement: rule('PAGE-014'),
    url,
    message: 'The last page has no cursor; expected one whose next is null.',
  }
}

function cursorFault(
  next: string,
  followed: ReadonlySet<string>,
  url: string,
  { rule }: Standard,
): Finding | undefined {
  if (next === '') {
    const message = 'The next cursor is the empty string; the last page has null.'
    return { requirement: rule('PAGE-006'), url, pointer: '/cursor/next', message }
  }
  if (!followed.has(next)) return undefined
  const message = `The cursor ${JSON.stringify(next)} was followed before: the pages go round in a circle.`
  return { requirement: rule('PAGE-007'), url, pointer: '/cursor/next', message }
}
