import type { SitemapItemV1 } from '@doorplate/aadp-schemas'
import { AadpClientError, AadpIntegrityMismatchError } from '../errors.js'
import { withQueryParameter } from './query-parameter.js'

/** The rules for sitemaps that go beyond the shape of one document. */

/** What every version's sitemap has. */
export interface SitemapPage {
  readonly type: string
  readonly items: readonly SitemapItemV1[]
  readonly cursor?: { readonly next: unknown }
}

/** The URL of a page: the cursor replaces the query parameter of that name. */
export function pageUrl(sitemapUrl: string, cursor: string | null | undefined): string {
  if (cursor === null || cursor === undefined) return sitemapUrl
  return withQueryParameter(sitemapUrl, 'cursor', cursor)
}

/**
 * The cursor of the next page, `null` on the last. An empty cursor says neither, and a lone surrogate cannot be sent back
 * unchanged. Throws `invalid_cursor`.
 */
export function nextCursor({ cursor }: SitemapPage, url: string): string | null {
  const next = cursor?.next
  if (typeof next !== 'string') return null
  if (next === '') throw new AadpClientError('invalid_cursor', `The cursor is empty: ${url}`, { url })
  if (!next.isWellFormed())
    throw new AadpClientError('invalid_cursor', `The cursor is not Unicode: ${url}`, { url })
  return next
}

/** The cursors of one sitemap. */
export class CursorTrail {
  readonly #seen = new Set<string>()

  /** The cursor of the next page, `null` on the last. Throws `invalid_cursor`, or `cursor_cycle` when a cursor comes back. */
  next(page: SitemapPage, url: string): string | null {
    const cursor = nextCursor(page, url)
    if (cursor === null) return null
    if (this.#seen.has(cursor))
      throw new AadpClientError('cursor_cycle', `The cursor comes back: ${url}`, { url })
    this.#seen.add(cursor)
    return cursor
  }
}

/** Throws `integrity_mismatch` unless the page is of the expected type. */
export function requireType(page: SitemapPage, expected: string, url: string): void {
  if (page.type !== expected) throw new AadpIntegrityMismatchError(url, 'type', expected, page.type)
}

/** Throws `integrity_mismatch` unless the id lies in the namespace of the type. */
export function requireNamespace(id: string, type: string, url: string): true {
  if (!id.startsWith(`${type}:`)) throw new AadpIntegrityMismatchError(url, 'namespace', type, id)
  return true
}
