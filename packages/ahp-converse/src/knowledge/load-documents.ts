import { Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { ConverseError, invalidOption, unknownOption } from '../converse-error.js'
import { isPlace } from './documents/is-place.js'
import type { KnowledgeDocument } from './documents/knowledge-document.js'

/** Options of `loadDocuments`. */
export interface LoadOptions {
  /**
   * Where people read the file on the site; undefined: nowhere. Default: the path below the folder as most site generators publish
   * it: `guide/install.md` at `/guide/install`, `guide/index.md` and `guide/README.md` at `/guide/`, `about.html` at `/about.html`.
   * @param path below the folder, with `/` between its parts
   */
  readonly urlOf?: (path: string) => string | undefined
  readonly signal?: AbortSignal
}

const FORMATS: Readonly<Record<string, 'markdown' | 'html' | 'text' | 'record'>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'text',
  '.json': 'record',
}

/**
 * The `.md`, `.html`, `.txt` and `.json` files of a folder and those below it, in the order of their names; a JSON file is a record or
 * a list of records. Names that begin with a dot, `node_modules` and symbolic links are passed over. Throws `invalid_option` where
 * there is no such folder or no such file in it, what the file system throws, and `SyntaxError` for a file that is no JSON.
 */
export function loadDocuments(
  folder: string,
  options: LoadOptions = {},
): AsyncGenerator<KnowledgeDocument, void, undefined> {
  if (typeof folder !== 'string' || folder === '') throw invalidOption('folder', 'must be a path')
  const unknown = Object.keys(options).find((name) => name !== 'urlOf' && name !== 'signal')
  if (unknown !== undefined) throw unknownOption(unknown, ['urlOf', 'signal'])
  const { urlOf = publishedPath, signal } = options
  if (typeof urlOf !== 'function') throw invalidOption('urlOf', 'must be a function')
  return someDocumentsIn(resolve(folder), urlOf, signal)
}

/** A site that knows nothing would answer every question with that: most likely it is the wrong folder. */
async function* someDocumentsIn(
  folder: string,
  urlOf: (path: string) => string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<KnowledgeDocument, void, undefined> {
  await requireFolder(folder)
  let isEmpty = true
  for await (const document of documentsIn(folder, '', urlOf, signal)) {
    isEmpty = false
    yield document
  }
  if (isEmpty) throw invalidOption('folder', `must have .md, .html, .txt or .json files: ${folder}`)
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => error)
  if (found instanceof Stats && found.isDirectory()) return
  throw new ConverseError('invalid_option', `folder must be a folder that can be read: ${folder}`, {
    option: 'folder',
    ...(found instanceof Error && { cause: found }),
  })
}

async function* documentsIn(
  folder: string,
  prefix: string,
  urlOf: (path: string) => string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<KnowledgeDocument, void, undefined> {
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    signal?.throwIfAborted()
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = prefix + entry.name
    const format = FORMATS[extname(entry.name).toLowerCase()]
    if (entry.isDirectory()) yield* documentsIn(join(folder, entry.name), `${path}/`, urlOf, signal)
    else if (entry.isFile() && format !== undefined) {
      const text = await readFile(join(folder, entry.name), { encoding: 'utf8', ...(signal && { signal }) })
      const url = urlOf(path)
      const place = { id: path, ...(url !== undefined && { url }) }
      if (format === 'record') yield* recordsIn(text, place)
      else yield { ...place, format, content: text }
    }
  }
}

/** The records of a list have no page of their own, unless they have one in a field `url`. */
function* recordsIn(
  text: string,
  place: { readonly id: string; readonly url?: string },
): Generator<KnowledgeDocument> {
  const data = parse(text, place.id)
  for (const [index, content] of (Array.isArray(data) ? (data as unknown[]) : [data]).entries()) {
    if (!isRecord(content)) continue
    const url = isPlace(content['url']) ? content['url'] : place.url
    const id = Array.isArray(data) ? `${place.id}#${identifier(content) ?? index}` : place.id
    yield { id, format: 'record', content, ...(url !== undefined && { url }) }
  }
}

/** Some editors write a byte order mark. */
function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new SyntaxError(`${path} is not JSON`, { cause })
  }
}

function identifier(content: Readonly<Record<string, unknown>>): string | undefined {
  const id = Object.hasOwn(content, 'id') ? content['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function publishedPath(path: string): string | undefined {
  if (path.endsWith('.json')) return undefined
  const page = path.replace(/\.(?:md|markdown)$/i, '').replace(/(^|\/)(?:index|readme)(?:\.html?)?$/i, '$1')
  return `/${page.split('/').map(encodeURIComponent).join('/')}`
}
