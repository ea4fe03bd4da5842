import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ManifestV1, SitemapIndexV1, SitemapV1 } from '@doorplate/aadp-schemas'
import { canonicalize, checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import type { AadpServer } from './define-aadp.js'
import type { Fault, FaultListener } from './errors/fault.js'
import { createFaultPrinter } from './errors/fault-printer.js'
import { faultText } from './errors/fault-text.js'
import { MANIFEST_PATH } from './routes/route-table.js'
import { splitTarget } from './routes/split-target.js'

/** Stable codes of `ExportError`. */
export type ExportErrorCode =
  'directory_not_empty' | 'secured_resource' | 'document_failed' | 'path_collision'

/** A site that cannot be exported as a whole. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
  readonly code: ExportErrorCode

  constructor(code: ExportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** One exported document. */
export interface ExportedFile {
  /** Path of its URL. */
  readonly path: string
  /** Where it is, relative to the directory, with `/` between folders. */
  readonly file: string
  /** Fields that the host should send with it. */
  readonly headers: Readonly<Record<string, string>>
}

/** Options of `exportSite`. */
export interface ExportOptions {
  /** Writes into a directory that holds other things. Default false. */
  readonly force?: boolean
  /** Told of each record and count that is left out, as `onError` of the declaration is. Default: prints a line of it. */
  readonly onError?: FaultListener
}

/** Lists the files of an export; it also tells a later export what it may replace. */
export const EXPORT_LIST = 'aadp-export.json'
const HEADERS_FILE = '_headers'
/** Fields that a static host does not make itself. */
const STATIC_HEADERS = [
  'content-type',
  'cache-control',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'etag',
  'last-modified',
  'link',
]

interface StaticDocument extends ExportedFile {
  readonly text: string
}

/**
 * Writes every document of a site into a directory, for a host that only serves files: `aadp-export.json` lists them
 * with their headers, `_headers` says the same to Netlify and Cloudflare Pages. A host of files knows no `cursor`
 * parameter, so each page of a sitemap becomes a sitemap of its own in the index. Documents are those of the default
 * locale. Throws `ExportError`.
 */
export async function exportSite(
  server: AadpServer,
  directory: string,
  options: ExportOptions = {},
): Promise<readonly ExportedFile[]> {
  const { force = false, onError = createFaultPrinter() } = options
  const replaceable = await readReplaceable(directory, force)
  requireOpen(server.manifest())
  const documents = await collectDocuments(server, onError)
  const files = documents.map(({ path, file, headers }): ExportedFile => ({ path, file, headers }))
  for (const { file, text } of documents) await writeInto(directory, file, text)
  await writeInto(directory, HEADERS_FILE, headersText(files))
  await writeInto(directory, EXPORT_LIST, `${JSON.stringify(files, null, 2)}\n`)
  const written = new Set(files.map(({ file }) => file))
  for (const file of replaceable) if (!written.has(file)) await rm(join(directory, file), { force: true })
  return files
}

/** Files of an earlier export. An unknown directory must be empty. */
async function readReplaceable(directory: string, force: boolean): Promise<readonly string[]> {
  const names = await readNames(directory)
  if (names.includes(EXPORT_LIST)) {
    const files = listedFiles(await readFile(join(directory, EXPORT_LIST), 'utf8'))
    if (files !== undefined) return files
  }
  if (names.length === 0 || force) return []
  throw new ExportError('directory_not_empty', `${directory} holds other files than an export`)
}

/** `undefined` when the text is not what an export writes. */
function listedFiles(text: string): readonly string[] | undefined {
  try {
    return (JSON.parse(text) as readonly ExportedFile[]).map(({ path }) => fileOf(path))
  } catch {
    return undefined
  }
}

async function readNames(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Before anything is read: a list that is protected may also answer 401. */
function requireOpen({ resources = [], security_schemes: schemes = {} }: ManifestV1): void {
  for (const { type, security } of resources) {
    if (security === undefined || schemes[security]?.type === 'none') continue
    throw new ExportError(
      'secured_resource',
      `"${type}" is protected by "${security}" and must not become public files`,
    )
  }
}

async function collectDocuments(
  server: AadpServer,
  onError: FaultListener,
): Promise<readonly StaticDocument[]> {
  const documents = new Map<string, StaticDocument>()
  const read = (target: string): Promise<StaticDocument> => readDocument(server, target, onError)
  function add(document: StaticDocument): void {
    if (documents.has(document.path))
      throw new ExportError('path_collision', `${document.path} would be written twice`)
    documents.set(document.path, document)
  }

  for (const path of declaredPaths(server)) add(await read(path))
  const index = await read(pathOf(server.manifest().discovery.sitemap_index))
  const published = JSON.parse(index.text) as SitemapIndexV1
  const sitemaps: SitemapIndexV1['sitemaps'] = []
  for (const { type, url } of published.sitemaps) {
    let pageNumber = 1
    for await (const page of readPages(read, url)) {
      const path = pageNumber === 1 ? pathOf(url) : numbered(pathOf(url), pageNumber)
      const { items, cursor, ...rest } = JSON.parse(page.text) as SitemapV1
      if (items.length === 0 && pageNumber > 1) continue
      add({
        ...page,
        path,
        file: fileOf(path),
        text: canonicalize({ ...rest, items, cursor: { ...cursor, next: null } }),
      })
      sitemaps.push({ type, url: server.origin + path, count: items.length })
      for (const item of items) add(requireListed(await read(pathOf(item.url)), item.checksum))
      pageNumber++
    }
  }
  const checksum = checksumOf(sitemaps)
  add({
    ...index,
    headers: { ...index.headers, etag: `"${checksum}"` },
    text: canonicalize({ ...published, sitemaps, checksum }),
  })
  return [...documents.values()]
}

/** Files stay as they are: a record that changed after its page was read would never agree with it. */
function requireListed(entity: StaticDocument, checksum: string): StaticDocument {
  if (entity.headers['etag'] === `"${checksum}"`) return entity
  throw new ExportError('document_failed', `${entity.path} changed while it was exported. Export again.`)
}

function declaredPaths(server: AadpServer): readonly string[] {
  const links = [...server.linkHeader().matchAll(/<([^>]+)>/g)].map(([, url = '']) => pathOf(url))
  return [...new Set([MANIFEST_PATH, ...links])]
}

async function* readPages(
  read: (target: string) => Promise<StaticDocument>,
  url: string,
): AsyncGenerator<StaticDocument> {
  const followed = new Set<string>()
  for (let cursor: string | null = null; ;) {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const page = await read(pathOf(url) + query)
    yield page
    cursor = (JSON.parse(page.text) as { cursor: { next: string | null } }).cursor.next
    if (cursor === null) return
    if (followed.has(cursor)) throw new ExportError('document_failed', `${url} leads back to an earlier page`)
    followed.add(cursor)
  }
}

async function readDocument(
  server: AadpServer,
  target: string,
  onError: FaultListener,
): Promise<StaticDocument> {
  let failure: { readonly error: unknown; readonly fault: Fault } | undefined
  const { status, headers, body } = await server.respond({
    method: 'GET',
    url: target,
    headers: { get: () => null },
    signal: new AbortController().signal,
    onError(error, fault) {
      if (fault.outcome !== 'request_failed') return onError(error, fault)
      failure = { error, fault }
    },
  })
  const text = new TextDecoder().decode(body ?? undefined)
  if (status !== 200) {
    const why = failure === undefined ? text : faultText(failure.error, failure.fault)
    throw new ExportError('document_failed', `${target} was answered with ${String(status)}. ${why}`, {
      cause: failure?.error,
    })
  }
  const { path } = splitTarget(target)
  const kept = STATIC_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  )
  return { path, file: fileOf(path), headers: Object.fromEntries(kept), text }
}

function pathOf(url: string): string {
  return splitTarget(url).path
}

/** `/ai/sitemaps/post.json` becomes `/ai/sitemaps/post/2.json`. */
function numbered(path: string, pageNumber: number): string {
  return path.replace(/(\.[^./]*)?$/, (extension) => `/${String(pageNumber)}${extension}`)
}

/** A host decodes the path of a URL before it looks for a file. */
function fileOf(path: string): string {
  const names = path.slice(1).split('/').map(decodeURIComponent)
  if (names.some((name) => /^\.{0,2}$|[/\\\0]/.test(name))) {
    throw new ExportError('path_collision', `${path} is not the path of a file`)
  }
  return names.join('/')
}

async function writeInto(directory: string, file: string, text: string): Promise<void> {
  const target = join(directory, ...file.split('/'))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
}

function headersText(files: readonly ExportedFile[]): string {
  const blocks = files.map(({ path, headers }) =>
    [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
  )
  return `${blocks.join('\n\n')}\n`
}
