import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { AadpVersion } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'

export interface SiteRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

/** A document of any kind, with the members that faults reach for. */
export interface Draft {
  aadp_version: string
  application?: { name?: string }
  discovery?: { sitemap_index: string }
  sitemap_index?: string
  resources?: { type: string }[]
  policies?: { terms: string }
  usage_guidance?: { summary_preference: string; default_language: string; available_languages: string[] }
  id?: string
  type?: string
  generated_at?: string
  updated_at?: string
  checksum?: string
  sitemaps?: { type: string; url: string; count?: number }[]
  items?: unknown[]
  cursor?: { next: string | null }
  canonical_url?: string
  locale?: string
  data?: Record<string, unknown>
  surprise?: boolean
  x_request?: number
  x_readers?: number
}

/** One way in which a server differs from the good one. Each hook changes what it is given. */
export interface Fault {
  /** Changes the content, before documents are made from it. */
  readonly content?: (content: Content) => void
  /** Changes the manifest. */
  readonly manifest?: (manifest: Draft) => void
  /** Changes a finished document; its checksum is computed already. */
  readonly document?: (document: Draft, request: SiteRequest) => void
  /** Changes the text of a document. */
  readonly text?: (text: string, request: SiteRequest) => string
  /** Answers instead of the good server. */
  readonly answer?: (request: SiteRequest) => Reply | undefined
  /** Changes the reply. */
  readonly reply?: (reply: Reply, request: SiteRequest) => void
}

export interface EntityRecord {
  id: string
  updatedAt: string
  data: Readonly<Record<string, string>>
}

/** Everything the site publishes, by type. */
export type Content = Record<string, EntityRecord[]>

const PAGE_SIZE = 3
const LANGUAGES = ['en', 'de']

/** The type with a security scheme. */
const PROTECTED_TYPE = 'author'

function goodContent(): Content {
  const record = (id: string, day: number): EntityRecord => ({
    id,
    updatedAt: `2026-02-${String(day).padStart(2, '0')}T08:30:00Z`,
    data: { en: `About ${id}`, de: `Über ${id}` },
  })
  const names = ['dune', 'emma', 'ulysses', 'momo', 'it', 'ran', 'kim']
  return {
    book: names.map((name, index) => record(`book:${name}`, index + 1)),
    author: ['joyce', 'ende', 'king', 'austen'].map((name, index) => record(`author:${name}`, index + 10)),
  }
}

/** A small site that keeps every rule, as the handler of a server, with the one fault it may have. */
export function createGoodSite(origin: string, version: AadpVersion, fault: Fault = {}): RequestListener {
  const content = goodContent()
  fault.content?.(content)
  let requestCount = 0
  return (incoming, outgoing) => {
    requestCount++
    const request = toSiteRequest(incoming, origin)
    const reply =
      fault.answer?.(request) ?? answer(request, { origin, version, content, fault, requestCount })
    compress(reply, request)
    fault.reply?.(reply, request)
    send(reply, request, outgoing)
  }
}

interface Context {
  readonly origin: string
  readonly version: AadpVersion
  readonly content: Content
  readonly fault: Fault
  readonly requestCount: number
}

/** Headers of every reply. */
const OPEN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag, Last-Modified' }

function answer(request: SiteRequest, context: Context): Reply {
  const { pathname } = request.url
  const [, , kind, type = '', name] = pathname.replace(/\.json$/, '').split('/')
  if (pathname === '/') {
    const link = `<${context.origin}/.well-known/ai-manifest.json>; rel="api-catalog"`
    return { status: 200, headers: { 'content-type': 'text/html', link }, body: '<h1>Books</h1>' }
  }
  if (/^\/pages\/[a-z]+$/.test(pathname))
    return { status: 200, headers: { 'content-type': 'text/html' }, body: 'page' }
  if (request.method === 'OPTIONS') return preflight()
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const reply = refuse(405, 'method_not_allowed', context)
    reply.headers['allow'] = 'GET, HEAD, OPTIONS'
    return reply
  }
  if (pathname === '/.well-known/ai-manifest.json') return publish(manifestOf(context), request, context)
  if (pathname === '/ai/index.json') return publish(indexOf(context), request, context)
  if (kind === 'sitemaps') return answerPage(type, request, context)
  if (kind === 'entities' && name !== undefined)
    return answerEntity(type, decodeURIComponent(name), request, context)
  return refuse(404, 'not_found', context)
}

function answerPage(type: string, request: SiteRequest, context: Context): Reply {
  const records = context.content[type]
  if (records === undefined) return refuse(404, 'unsupported_type', context)
  const cursor = request.url.searchParams.get('cursor') ?? 'p0'
  if (!/^p\d+$/.test(cursor) || Number(cursor.slice(1)) * PAGE_SIZE > records.length) {
    return refuse(400, 'invalid_request', context)
  }
  return publish(pageOf(type, Number(cursor.slice(1)), context), request, context)
}

function answerEntity(type: string, name: string, request: SiteRequest, context: Context): Reply {
  const records = context.content[type]
  if (records === undefined) return refuse(404, 'unsupported_type', context)
  if (!/^[a-z][a-z0-9_-]*$/.test(name)) return refuse(400, 'invalid_request', context)
  const record = records.find(({ id }) => id.endsWith(`:${name}`))
  if (record === undefined) return refuse(404, 'not_found', context)
  const asked = request.url.searchParams.get('locale') ?? ''
  return publish(entityOf(type, record, LANGUAGES.includes(asked) ? asked : 'en', context), request, context)
}

function manifestOf({ origin, version, content, fault }: Context): Draft {
  const sitemapIndex = `${origin}/ai/index.json`
  const v1 = {
    aadp_version: '1.0',
    application: {
      name: 'The Book Shelf',
      description: 'Reviews of novels.',
      publisher: { name: 'Shelf Press', url: `${origin}/pages/about` },
    },
    links: { homepage: `${origin}/` },
    discovery: { sitemap_index: sitemapIndex },
    resources: Object.keys(content).map((type) => ({
      type,
      security: type === PROTECTED_TYPE ? 'key' : 'open',
    })),
    interfaces: [{ id: 'web', type: 'website', documentation: `${origin}/pages/docs` }],
    security_schemes: { open: { type: 'none' }, key: { type: 'api_key', in: 'header', name: 'X-Key' } },
    policies: { robots: `${origin}/pages/robots`, terms: `${origin}/pages/terms` },
    usage_guidance: {
      default_language: 'en',
      available_languages: LANGUAGES,
      summary_preference: 'Please keep summaries short.',
    },
  }
  const v01 = {
    aadp_version: '0.1',
    default_locale: 'en',
    available_locales: LANGUAGES,
    sitemap_index: sitemapIndex,
    entity_base: `${origin}/ai/entities/`,
  }
  const manifest: Draft = version === '1.0' ? v1 : v01
  fault.manifest?.(manifest)
  return manifest
}

function indexOf({ origin, version, content }: Context): Draft {
  const sitemaps = Object.entries(content).map(([type, records]) => ({
    type,
    url: `${origin}/ai/sitemaps/${type}.json`,
    count: records.length,
  }))
  const generatedAt = newest(Object.values(content).flat())
  return { aadp_version: version, generated_at: generatedAt, checksum: checksumOf(sitemaps), sitemaps }
}

function pageOf(type: string, page: number, context: Context): Draft {
  const { origin, version, content } = context
  const records = content[type] ?? []
  const items = records.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map((record) => ({
    id: record.id,
    url: `${origin}/ai/entities/${type}/${record.id.split(':')[1] ?? ''}.json`,
    updated_at: record.updatedAt,
    checksum: checksumOf({ text: record.data['en'] }),
  }))
  const next = items.length === PAGE_SIZE ? `p${page + 1}` : null
  return {
    aadp_version: version,
    type,
    generated_at: newest(records),
    checksum: checksumOf(items),
    items,
    cursor: { next },
  }
}

function entityOf(type: string, record: EntityRecord, locale: string, { version, origin }: Context): Draft {
  const data = { text: record.data[locale] }
  return {
    aadp_version: version,
    id: record.id,
    type,
    checksum: checksumOf(data),
    updated_at: record.updatedAt,
    canonical_url: `${origin}/pages/entity`,
    locale,
    data,
  }
}

function newest(records: readonly EntityRecord[]): string {
  return (
    records
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '2026-02-01T00:00:00Z'
  )
}

function publish(document: Draft, request: SiteRequest, { fault }: Context): Reply {
  const isPrivate = request.url.pathname.includes(`/${PROTECTED_TYPE}`)
  fault.document?.(document, request)
  const text = JSON.stringify(document)
  const body = fault.text?.(text, request) ?? text
  const headers = {
    'content-type': 'application/json',
    'cache-control': isPrivate ? 'private, max-age=60' : 'public, max-age=60',
    ...OPEN,
  }
  if (document.checksum === undefined) return { status: 200, headers, body }
  const modified = new Date(document.generated_at ?? document.updated_at ?? 0)
  const validated = { ...headers, etag: `"${document.checksum}"`, 'last-modified': modified.toUTCString() }
  if (isUnchanged(request, validated.etag, modified)) return { status: 304, headers: validated, body: '' }
  return { status: 200, headers: validated, body }
}

function isUnchanged({ headers }: SiteRequest, etag: string, modified: Date): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined)
    return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  const since = headers['if-modified-since']
  return since !== undefined && Date.parse(since) >= Math.floor(modified.getTime() / 1000) * 1000
}

function refuse(status: number, code: string, { requestCount }: Context): Reply {
  const error = { code, message: 'The request was refused.', request_id: `request-${requestCount}` }
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...OPEN }
  return { status, headers, body: JSON.stringify({ error }) }
}

function preflight(): Reply {
  const headers = {
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'If-None-Match, If-Modified-Since',
    ...OPEN,
  }
  return { status: 204, headers, body: '' }
}

function toSiteRequest(incoming: IncomingMessage, origin: string): SiteRequest {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()])
  return {
    method: incoming.method ?? 'GET',
    url: new URL(incoming.url ?? '/', origin),
    headers: Object.fromEntries(headers) as SiteRequest['headers'],
  }
}

/** Compresses as a proxy in front of the site would: the tag becomes weak. */
function compress(reply: Reply, request: SiteRequest): void {
  reply.headers['vary'] = 'Accept-Encoding'
  const isWanted = request.headers['accept-encoding']?.includes('gzip') === true && reply.status === 200
  if (!isWanted || reply.headers['content-type'] !== 'application/json') return
  reply.body = gzipSync(reply.body)
  reply.headers['content-encoding'] = 'gzip'
  if (reply.headers['etag'] !== undefined) reply.headers['etag'] = `W/${reply.headers['etag']}`
}

function send(reply: Reply, request: SiteRequest, outgoing: ServerResponse): void {
  const length = Buffer.byteLength(reply.body)
  const hasLength = reply.status !== 304 && reply.status !== 204
  outgoing.writeHead(reply.status, { ...(hasLength && { 'content-length': length }), ...reply.headers })
  outgoing.end(request.method === 'HEAD' || !hasLength ? undefined : reply.body)
}
