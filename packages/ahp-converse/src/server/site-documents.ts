import { MANIFEST_PATH, type Manifest } from '@doorplate/ahp-manifest'
import { StageFailure } from './fault.js'
import { prepareDocument, type ServedDocument } from './served-document.js'

export interface SiteDocuments {
  manifest(): Promise<ServedDocument>
  /** Rejects with a `StageFailure` when the text cannot be had. */
  content(): Promise<ServedDocument>
}

export interface SiteDocumentsOptions {
  /** The text of the content, as it is now. */
  readonly readContent: () => string
  readonly maxAgeSeconds: number
  readonly now: () => number
}

/** A list of all documents is not made more often. */
const CONTENT_IS_FRESH_MS = 1000

/** The two documents that every site has; each is prepared anew only when its text has changed. */
export function createSiteDocuments(
  manifest: Readonly<Manifest>,
  { readContent, maxAgeSeconds, now }: SiteDocumentsOptions,
): SiteDocuments {
  const served = prepareDocument(`${JSON.stringify(manifest, null, 2)}\n`, {
    contentType: 'application/json',
    contentLocation: MANIFEST_PATH,
    maxAgeSeconds,
  })
  let text: string | undefined
  let readAt = 0
  let content = served

  async function refreshed(): Promise<ServedDocument> {
    const time = now()
    if (text !== undefined && Math.abs(time - readAt) < CONTENT_IS_FRESH_MS) return content
    const current = readContent()
    if (current !== text)
      content = prepareDocument(current, { contentType: 'text/markdown; charset=utf-8', maxAgeSeconds })
    text = current
    readAt = time
    return content
  }

  return {
    manifest: () => served,
    content: () =>
      refreshed().catch((error: unknown) => {
        throw new StageFailure('content', error)
      }),
  }
}
