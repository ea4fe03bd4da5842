import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'

/** Started as a process of its own: an application of ready buffers, which answers as fast as node:http can. */

const PAGE_SIZE = 100
const [entityCount = 5_000, slowEveryTenthMs = 0] = process.argv.slice(2).map(Number)

const server = createServer((request, response) => {
  const document = documents.get(request.url ?? '')
  if (!document) {
    response.writeHead(404).end()
    return
  }
  const answer = (): void => {
    if (document.etag !== undefined && request.headers['if-none-match'] === document.etag) {
      response.writeHead(304, { etag: document.etag }).end()
      return
    }
    const { body, etag } = document
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.byteLength,
      ...(etag !== undefined && { etag }),
    })
    response.end(body)
  }
  if (document.isSlow && slowEveryTenthMs > 0) setTimeout(answer, slowEveryTenthMs)
  else answer()
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  build(origin)
  process.send?.(origin)
})
process.once('disconnect', () => process.exit())

interface Ready {
  readonly body: Buffer
  readonly etag?: string
  readonly isSlow?: boolean
}

const documents = new Map<string, Ready>()

function build(origin: string): void {
  const now = '2026-01-02T03:04:05Z'
  add('/.well-known/ai-manifest.json', {
    aadp_version: '1.0',
    application: {
      name: 'Shop',
      description: 'A shop.',
      publisher: { name: 'Shop', url: 'https://shop.test/' },
    },
    discovery: { sitemap_index: `${origin}/index.json` },
    policies: { robots: 'https://shop.test/robots.txt', terms: 'https://shop.test/terms' },
  })
  const items = Array.from({ length: entityCount }, (_, index) => {
    const name = `product-${String(index).padStart(6, '0')}`
    const data = {
      price_cents: 1000 + index,
      text: 'A thing that is useful in the kitchen, made of steel and wood. '.repeat(10),
      title: `Product number ${String(index)}`,
    }
    const entity = { id: `product:${name}`, updated_at: now, checksum: checksumOf(data) }
    const path = `/entities/${name}.json`
    add(path, { aadp_version: '1.0', type: 'product', ...entity, data }, entity.checksum, index % 10 === 0)
    return { ...entity, url: `${origin}${path}` }
  })
  for (let offset = 0; offset === 0 || offset < items.length; offset += PAGE_SIZE) {
    const page = items.slice(offset, offset + PAGE_SIZE)
    const next = offset + PAGE_SIZE < items.length ? String(offset + PAGE_SIZE) : null
    const checksum = checksumOf(page)
    add(
      `/products.json${offset === 0 ? '' : `?cursor=${String(offset)}`}`,
      { aadp_version: '1.0', type: 'product', generated_at: now, checksum, items: page, cursor: { next } },
      checksum,
    )
  }
  const sitemaps = [{ type: 'product', url: `${origin}/products.json`, count: items.length }]
  const checksum = checksumOf(sitemaps)
  add('/index.json', { aadp_version: '1.0', generated_at: now, checksum, sitemaps }, checksum)
}

function add(path: string, document: unknown, checksum?: string, isSlow = false): void {
  const body = Buffer.from(JSON.stringify(document))
  documents.set(path, { body, isSlow, ...(checksum !== undefined && { etag: `"${checksum}"` }) })
}
