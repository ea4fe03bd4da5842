import type { AadpVersion } from '@doorplate/aadp-schemas'
import { isAadpClientError } from '../errors.js'
import { readDocument } from '../documents/read-document.js'
import type { Reader } from '../reading/reader.js'
import type { ListingSource } from '../run/site-listing.js'
import type { StoredDocument, SyncStore } from '../stores/store.js'
import type { TransportResponse } from '../transport/transport.js'
import type { DocumentKind, DocumentTypes } from '../documents/wire.js'

/** Manifest, index and pages from a store as long as the site says that they are unchanged, otherwise from the site. */
export class MirroredLists {
  readonly #store: SyncStore
  readonly #site: string
  readonly #visited = new Set<string>()
  #changed: StoredDocument[] = []
  notModified = 0

  constructor(store: SyncStore, site: string) {
    this.#store = store
    this.#site = site
  }

  /** Whether this run met the document. */
  hasVisited(url: string): boolean {
    return this.#visited.has(url)
  }

  /** Documents to be stored since the last call. */
  takeChanged(): readonly StoredDocument[] {
    const changed = this.#changed
    this.#changed = []
    return changed
  }

  source<V extends AadpVersion>(reader: Reader<V>): ListingSource<V> {
    return async (kind, url, { scheme, isWhole, arrive }) => {
      this.#visited.add(url)
      const mirrored = await this.#mirrored(reader, kind, url)
      const usable = mirrored && mayTrust(kind, mirrored.document, isWhole) ? mirrored : undefined
      const conditions = usable && conditionsOf(usable.stored)
      const response = await reader.get(kind, url, { scheme, conditions })
      arrive(response.url)
      if (usable && response.status === 304) {
        this.notModified++
        this.#refresh(usable.stored, response)
        return usable.document
      }
      const text = reader.text(response, url)
      const document = readDocument(reader.wire, kind, text, url)
      this.#changed.push({ url, text, ...validatorsOf(response) })
      return document
    }
  }

  /** What the store holds is checked like what the site sends; a document that does not pass is fetched again. */
  async #mirrored<V extends AadpVersion, K extends DocumentKind>(
    { wire }: Reader<V>,
    kind: K,
    url: string,
  ): Promise<{ stored: StoredDocument; document: DocumentTypes[V][K] } | undefined> {
    const stored = await this.#store.readDocument(this.#site, url)
    if (!stored) return undefined
    try {
      return { stored, document: readDocument(wire, kind, stored.text, url) }
    } catch (error) {
      if (isAadpClientError(error)) return undefined
      throw error
    }
  }

  /** A 304 may bring new validators (RFC 9111 section 4.3.4); what it does not bring stays. */
  #refresh(stored: StoredDocument, response: TransportResponse): void {
    const { etag, lastModified } = { ...stored, ...validatorsOf(response) }
    if (etag === stored.etag && lastModified === stored.lastModified) return
    this.#changed.push({ ...stored, ...validatorsOf(response) })
  }
}

/**
 * The ETag of a page does not cover its cursor, so that a last page can go on without changing. Its 304 is worth something only
 * when the sitemap is known to have as many entities as the index says.
 */
function mayTrust(
  kind: DocumentKind,
  document: object,
  isWhole: ((itemsOnPage: number) => boolean) | undefined,
): boolean {
  if (kind !== 'sitemap') return true
  const { items, cursor } = document as DocumentTypes['1.0']['sitemap']
  return typeof cursor?.next === 'string' || isWhole?.(items.length) === true
}

function conditionsOf({ etag, lastModified }: StoredDocument): Readonly<Record<string, string>> | undefined {
  if (etag !== undefined) return { 'if-none-match': etag }
  return lastModified === undefined ? undefined : { 'if-modified-since': lastModified }
}

function validatorsOf({ headers }: TransportResponse): Pick<StoredDocument, 'etag' | 'lastModified'> {
  const { etag, 'last-modified': lastModified } = headers
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) }
}
