import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.js'

interface Entry {
  readonly digest: string
  readonly updatedAt: string
}

/**
 * When each document last changed, as this server saw it. File times alone would not do: a clone, a checkout or a copy gives
 * unchanged text a new one. So the date belongs to the text: it moves only when the digest does, and it is kept across restarts.
 */
export interface DocumentDates {
  /** The date of this text. One never seen before gets the file's own time at the first sight of the document, else the present. */
  dateOf(key: string, digest: string, modifiedAt: Date): Date
  /** Writes the dates down when one has moved. */
  save(): Promise<void>
}

/** Reads `document-dates.json` in `folder`. Throws `StartError` when that file is not what `save` writes. */
export async function openDocumentDates(
  folder: string,
  options: { readonly now: () => number },
): Promise<DocumentDates> {
  const file = join(folder, 'document-dates.json')
  const entries = await readEntries(file)
  let isChanged = false

  return {
    dateOf(key, digest, modifiedAt) {
      const known = entries.get(key)
      if (known?.digest === digest) return new Date(known.updatedAt)
      const present = options.now()
      const date = new Date(known === undefined ? Math.min(modifiedAt.getTime(), present) : present)
      entries.set(key, { digest, updatedAt: date.toISOString() })
      isChanged = true
      return date
    },

    async save() {
      if (!isChanged) return
      isChanged = false
      const draft = `${file}.${String(process.pid)}.tmp`
      await writeFile(draft, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`)
      await rename(draft, file)
    },
  }
}

async function readEntries(file: string): Promise<Map<string, Entry>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return new Map()
    throw new StartError(`${file} cannot be read: ${code ?? 'unknown'}.`)
  }
  const entries = entriesIn(text)
  if (entries === undefined)
    throw new StartError(`${file} is damaged. Delete it to start afresh from the file times.`)
  return entries
}

function entriesIn(text: string): Map<string, Entry> | undefined {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return entries.every(isEntryPair) ? new Map(entries) : undefined
  } catch {
    return undefined
  }
}

function isEntryPair(pair: [string, unknown]): pair is [string, Entry] {
  const entry = pair[1] as Partial<Record<keyof Entry, unknown>> | null
  return (
    typeof entry?.digest === 'string' &&
    typeof entry.updatedAt === 'string' &&
    !Number.isNaN(Date.parse(entry.updatedAt))
  )
}
