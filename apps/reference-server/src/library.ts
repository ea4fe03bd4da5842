import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentDates } from './document-dates.js'
import { findSources, type DocumentSource, type DocumentType } from './document-sources.js'
import { outlineOf, type MarkdownOutline } from './markdown-document.js'

export interface LibraryDocument extends DocumentSource {
  readonly title: string
  readonly summary: string
  readonly sections: MarkdownOutline['sections']
  /** The markdown as it stands in the file. */
  readonly text: string
  /** Names this state of the text. */
  readonly digest: string
  readonly updatedAt: Date
}

/** The documents on disk, as they are now: every call looks at the files again and reads those that have changed. */
export interface Library {
  /** Sorted by type and slug. */
  documents(): Promise<readonly LibraryDocument[]>
  find(type: DocumentType, slug: string): Promise<LibraryDocument | undefined>
}

export interface LibraryOptions {
  readonly projectRoot: string
  readonly dates: DocumentDates
  /** Called with one line when a file has to be left out. */
  readonly warn: (line: string) => void
}

interface Copy {
  readonly fileState: string
  readonly document: LibraryDocument
}

const MAX_DOCUMENT_BYTES = 1024 * 1024

export function createLibrary({ projectRoot, dates, warn }: LibraryOptions): Library {
  let copies = new Map<string, Copy>()
  let pass: Promise<readonly LibraryDocument[]> | undefined

  async function refresh(): Promise<readonly LibraryDocument[]> {
    const sources = await findSources(projectRoot)
    const read = await Promise.all(sources.map(currentCopy))
    const present = read.filter((copy) => copy !== undefined)
    copies = new Map(present.map((copy) => [copy.document.path, copy]))
    await dates.save().catch((error: unknown) => {
      warn(`The dates of the documents could not be saved: ${String(error)}`)
    })
    return present.map(({ document }) => document)
  }

  async function currentCopy(source: DocumentSource): Promise<Copy | undefined> {
    const known = copies.get(source.path)
    try {
      const file = join(projectRoot, source.path)
      const { mtime, mtimeMs, size } = await stat(file)
      const fileState = `${mtimeMs}/${size}`
      if (known?.fileState === fileState) return known
      if (size > MAX_DOCUMENT_BYTES) throw new Error(`it is larger than ${MAX_DOCUMENT_BYTES} bytes`)
      const text = await readFile(file, 'utf8')
      return { fileState, document: documentOf(source, text, mtime) }
    } catch (error) {
      warn(`${source.path} is left out: ${(error as Error).message}`)
      return undefined
    }
  }

  function documentOf(source: DocumentSource, text: string, modifiedAt: Date): LibraryDocument {
    const { title: ownTitle = source.slug, summary, sections } = outlineOf(text)
    // What a text beside others is called says little by itself.
    const title = source.partOf === undefined ? ownTitle : `${source.partOf}: ${ownTitle}`
    const digest = createHash('sha256').update(text).digest('hex')
    const updatedAt = dates.dateOf(`${source.type}:${source.slug}`, digest, modifiedAt)
    return { ...source, title, summary, sections, text, digest, updatedAt }
  }

  function documents(): Promise<readonly LibraryDocument[]> {
    pass ??= refresh().finally(() => {
      pass = undefined
    })
    return pass
  }

  return {
    documents,
    async find(type, slug) {
      const all = await documents()
      return all.find((document) => document.type === type && document.slug === slug)
    },
  }
}
