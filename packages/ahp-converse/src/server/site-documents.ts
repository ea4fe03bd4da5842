import { MANIFEST_PATH, type Manifest } from '@doorplate/ahp-manifest'
import { StageFailure } from './fault.js'
import { prepareDocument, type ServedDocument } from './served-document.js'

export interface SiteDocuments {
  manifest(): Promise<ServedDocument>
  /** Rejects with a `StageFailure` when the text cannot be had. */
  content(): Promise<ServedDocument>
}

/** The two documents that every site has; each is prepared anew only when its text has changed. */
export function createSiteDocuments(
  manifest: Readonly<Manifest>,
  readContent: () => string | Promise<string>,
  maxAgeSeconds: number,
): SiteDocuments {
  const manifestText = `${JSON.stringify(manifest, null, 2)}\n`
  const served = prepareDocument(manifestText, {
    contentType: 'application/json',
    contentLocation: MANIFEST_PATH,
    maxAgeSeconds,
  })
  let content: { readonly text: string; readonly document: Promise<ServedDocument> } | undefined

  async function readText(): Promise<string> {
    try {
      return await readContent()
    } catch (error) {
      throw new StageFailure('content', error)
    }
  }

  return {
    manifest: () => served,
    async content() {
      const text = await readText()
      if (content?.text !== text)
        content = {
          text,
          document: prepareDocument(text, { contentType: 'text/markdown; charset=utf-8', maxAgeSeconds }),
        }
      return content.document
    },
  }
}
