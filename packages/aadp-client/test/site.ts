import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'

export interface SiteOptions {
  /** Entities by type. */
  readonly counts?: Readonly<Record<string, number>>
  readonly pageSize?: number
  /** Whether the index announces counts. Default true. */
  readonly announces?: boolean
  readonly version?: '1.0' | '0.1'
}

export interface SeenRequest {
  readonly path: string
  readonly headers: Readonly<IncomingMessage['headers']>
}

export type Document = Record<string, unknown>

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A small application on loopback whose content and faults a test sets, and whose requests it sees. */
export class Site {
  readonly #options: SiteOptions
  readonly #server: Server
  /** Types and in them the data of each entity by name, in the order they are listed. */
  readonly content = new Map<string, Map<string, Record<string, unknown>>>()
  readonly updatedAt = new Map<string, string>()
  /** Answers for paths (with query) instead of the usual ones. */
  readonly faults = new Map<string, Answer>()
  readonly requests: SeenRequest[] = []
  /** Changes a document before it is sent; the checksum is not corrected. */
  edit: (document: Document, path: string) => unknown = (document) => document
  delayMs: (path: string) => number = () => 0
  open = 0
  peak = 0

  constructor(options: SiteOptions = {}) {
    this.#options = options
    for (const [type, count] of Object.entries(options.counts ?? { post: 3 })) {
      this.content.set(
        type,
        new Map(Array.from({ length: count }, (_, index) => [`e${index}`, { title: `${type} ${index}` }])),
      )
    }
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get host(): string {
    return new URL(this.origin).host
  }

  paths(): string[] {
    return this.requests.map(({ path }) => path)
  }

  fault(path: string, answer: Answer): void {
    this.faults.set(path, answer)
  }

  /** Answers a path with a status and text. */
  answer(
    path: string,
    status: number,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): void {
    this.fault(path, (_, response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
    )
  }

  set(type: string, name: string, data: Record<string, unknown>, updatedAt?: string): void {
    let entities = this.content.get(type)
    if (!entities) this.content.set(type, (entities = new Map<string, Document>()))
    entities.set(name, data)
    if (updatedAt) this.updatedAt.set(`${type}:${name}`, updatedAt)
  }

  ids(): string[] {
    return [...this.content].flatMap(([type, entities]) =>
      [...entities.keys()].map((name) => `${type}:${name}`),
    )
  }

  manifest(): Document {
    const index = `${this.origin}/index.json`
    if (this.version === '0.1') {
      return { aadp_version: '0.1', default_locale: 'en', available_locales: ['en'], sitemap_index: index }
    }
    return {
      aadp_version: '1.0',
      application: {
        name: 'Shop',
        description: 'A shop.',
        publisher: { name: 'Someone', url: 'https://shop.test/' },
      },
      discovery: { sitemap_index: index },
      policies: {
        robots: 'https://shop.test/robots.txt',
        terms: 'https://shop.test/terms',
        content_license: { id: 'CC-BY-4.0', url: 'https://shop.test/license' },
      },
    }
  }

  index(): Document {
    const sitemaps = [...this.content].map(([type, entities]) => ({
      type,
      url: `${this.origin}/sitemap/${type}`,
      ...(this.#options.announces !== false && { count: entities.size }),
    }))
    return { aadp_version: this.version, generated_at: NOW, checksum: checksumOf(sitemaps), sitemaps }
  }

  page(type: string, offset: number): Document {
    const size = this.#options.pageSize ?? 100
    const names = [...(this.content.get(type)?.keys() ?? [])]
    const items = names.slice(offset, offset + size).map((name) => this.item(type, name))
    const next = offset + size < names.length ? String(offset + size) : null
    return {
      aadp_version: this.version,
      type,
      generated_at: NOW,
      checksum: checksumOf(items),
      items,
      cursor: { next },
    }
  }

  item(type: string, name: string): Document {
    const { id, updated_at, checksum } = this.entity(type, name)
    return { id, url: `${this.origin}/entity/${type}/${name}`, updated_at, checksum }
  }

  entity(type: string, name: string): Document {
    const id = `${type}:${name}`
    const data = this.content.get(type)?.get(name) ?? {}
    return {
      aadp_version: this.version,
      id,
      type,
      checksum: checksumOf(data),
      updated_at: this.updatedAt.get(id) ?? NOW,
      data,
    }
  }

  get version(): '1.0' | '0.1' {
    return this.#options.version ?? '1.0'
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    this.requests.push({ path, headers: request.headers })
    this.open++
    this.peak = Math.max(this.peak, this.open)
    response.once('close', () => {
      this.open--
    })
    const delayMs = this.delayMs(path)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const fault = this.faults.get(path)
    if (fault) {
      fault(request, response)
      return
    }
    const document = this.#document(path)
    if (!document) {
      send(request, response, 404, { error: { code: 'not_found', message: 'Nothing here', request_id: '1' } })
      return
    }
    const edited = this.edit(document, path) as Document
    const etag = 'checksum' in document ? `"${document['checksum'] as string}"` : undefined
    send(request, response, 200, edited, etag)
  }

  #document(path: string): Document | undefined {
    const url = new URL(path, this.origin)
    if (url.pathname === '/.well-known/ai-manifest.json') return this.manifest()
    if (url.pathname === '/index.json') return this.index()
    const [, kind, type, name] = url.pathname.split('/')
    if (kind === 'sitemap' && type && this.content.has(type))
      return this.page(type, Number(url.searchParams.get('cursor') ?? 0))
    if (kind === 'entity' && type && name && this.content.get(type)?.has(name)) return this.entity(type, name)
    return undefined
  }
}

const NOW = '2026-01-02T03:04:05Z'

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  document: unknown,
  etag?: string,
): void {
  if (etag && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end()
    return
  }
  const body =
    typeof document === 'string' || document instanceof Uint8Array ? document : JSON.stringify(document)
  response.writeHead(status, { 'content-type': 'application/json', ...(etag && { etag }) }).end(body)
}
