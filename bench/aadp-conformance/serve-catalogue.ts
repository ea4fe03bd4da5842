/** A site of 5,000 entities in 5 types, everything computed beforehand, so that a run waits for itself and not for it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'

const TYPES = ['book', 'author', 'review', 'shop', 'event']
const PER_TYPE = 1_000
const PAGE_SIZE = 50
const UPDATED_AT = '2026-02-20T17:30:00Z'

interface Published {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Those of a 304: a length would be that of a body that it does not have (RFC 9110, section 15.4.5). */
  readonly headersOf304: Readonly<Record<string, string>>
  readonly etag?: string
}

const OPEN = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
}

const documents = new Map<string, Published>()
const server = createServer(handle)
server.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  publishAll(origin)
  process.send?.(origin)
})

function publishAll(origin: string): void {
  const manifest = {
    aadp_version: '1.0',
    application: {
      name: 'Catalogue',
      description: 'A catalogue.',
      publisher: { name: 'C', url: `${origin}/page` },
    },
    discovery: { sitemap_index: `${origin}/index` },
    policies: { robots: `${origin}/page`, terms: `${origin}/page` },
  }
  publish('/.well-known/ai-manifest.json', manifest)
  publish('/page', {})
  const sitemaps = TYPES.map((type) => ({ type, url: `${origin}/sitemaps/${type}`, count: PER_TYPE }))
  publish('/index', {
    aadp_version: '1.0',
    generated_at: UPDATED_AT,
    checksum: checksumOf(sitemaps),
    sitemaps,
  })
  for (const type of TYPES) publishType(origin, type)
}

function publishType(origin: string, type: string): void {
  const items = Array.from({ length: PER_TYPE }, (_, index) => {
    const data = {
      title: `Entity ${index}`,
      summary: 'About this entity there is a little to say. '.repeat(10),
    }
    const entity = { id: `${type}:e${index}`, checksum: checksumOf(data), updated_at: UPDATED_AT }
    publish(`/entities/${type}/e${index}`, { aadp_version: '1.0', type, ...entity, data })
    return { ...entity, url: `${origin}/entities/${type}/e${index}` }
  })
  for (let start = 0; start < PER_TYPE; start += PAGE_SIZE) {
    const page = items.slice(start, start + PAGE_SIZE)
    const next = start + PAGE_SIZE < PER_TYPE ? String(start + PAGE_SIZE) : null
    const cursor = start === 0 ? '' : `?cursor=${start}`
    const content = { generated_at: UPDATED_AT, checksum: checksumOf(page), items: page, cursor: { next } }
    publish(`/sitemaps/${type}${cursor}`, { aadp_version: '1.0', type, ...content })
  }
}

function publish(path: string, document: Readonly<Record<string, unknown>>): void {
  const body = JSON.stringify(document)
  const etag = document['checksum'] === undefined ? undefined : `"${document['checksum'] as string}"`
  const headersOf304 = {
    ...OPEN,
    'cache-control': 'public, max-age=60',
    ...(etag !== undefined && { etag, 'last-modified': new Date(UPDATED_AT).toUTCString() }),
  }
  const headers = { ...headersOf304, 'content-length': String(Buffer.byteLength(body)) }
  documents.set(path, { body, headers, headersOf304, ...(etag !== undefined && { etag }) })
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const cursor = url.searchParams.get('cursor')
  const found = documents.get(cursor === null ? url.pathname : `${url.pathname}?cursor=${cursor}`)
  if (request.method === 'OPTIONS') {
    response
      .writeHead(204, { ...OPEN, 'access-control-allow-methods': 'GET', 'access-control-allow-headers': '*' })
      .end()
  } else if (request.method === 'POST') refuse(response, 405, 'method_not_allowed', { allow: 'GET, HEAD' })
  else if (found !== undefined) answer(request, response, found)
  else if (cursor !== null) refuse(response, 400, 'invalid_request')
  else if (url.pathname.endsWith('/NOT.A.TOKEN')) refuse(response, 400, 'invalid_request')
  else refuse(response, 404, url.pathname.startsWith('/sitemaps/') ? 'unsupported_type' : 'not_found')
}

function answer({ method, headers }: IncomingMessage, response: ServerResponse, found: Published): void {
  const tags = headers['if-none-match']
  const isKnown =
    found.etag !== undefined &&
    (tags === undefined
      ? headers['if-modified-since'] !== undefined
      : tags === '*' || tags.includes(found.etag))
  if (isKnown) response.writeHead(304, found.headersOf304).end()
  else response.writeHead(200, found.headers).end(method === 'HEAD' ? undefined : found.body)
}

let requests = 0

function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const error = { code, message: 'The request was refused.', request_id: String(requests++) }
  response
    .writeHead(status, { ...OPEN, 'cache-control': 'no-store', ...headers })
    .end(JSON.stringify({ error }))
}
