import {
  type AadpConfig,
  type AadpServer,
  defineAADP,
  defineResource,
  type IncomingRequest,
  type Resource,
  type ResourceConfig,
} from '../src/index.js'

export const ORIGIN = 'https://shop.acme.test'

export interface Product {
  readonly slug: string
  readonly title: string
  readonly updatedAt: string | Date
}

/** Product `product-00` and so on, each a minute younger than the one before. */
export function makeProducts(count: number): Product[] {
  return Array.from({ length: count }, (_, index) => ({
    slug: `product-${String(index).padStart(2, '0')}`,
    title: `Product ${String(index)}`,
    updatedAt: new Date(Date.UTC(2026, 0, 1, 0, index)),
  }))
}

/** A resource over an array that the test may change. */
export function productResource(
  products: Product[],
  overrides: Partial<ResourceConfig<Product>> = {},
): Resource<Product> {
  return defineResource<Product>({
    type: 'product',
    list({ cursor, limit }) {
      const start = cursor === null ? 0 : Number(cursor)
      const end = start + limit
      return { items: products.slice(start, end), nextCursor: end < products.length ? String(end) : null }
    },
    get: ({ id }) => products.find(({ slug }) => slug === id) ?? null,
    serialize: ({ slug, title, updatedAt }) => ({ id: `product:${slug}`, updatedAt, data: { title } }),
    ...overrides,
  })
}

export const BASE: Omit<AadpConfig, 'resources'> = {
  baseUrl: ORIGIN,
  application: {
    name: 'Acme Shop',
    description: 'Things for the kitchen.',
    publisher: { name: 'Acme', url: 'https://acme.test/about' },
  },
  policies: { robots: 'https://acme.test/robots.txt', terms: 'https://acme.test/terms' },
}

export function declareShop(
  resources: readonly Resource<Product>[],
  overrides: Partial<AadpConfig> = {},
): AadpServer {
  return defineAADP({ ...BASE, resources: resources, ...overrides })
}

export const PATHS = {
  manifest: '/.well-known/ai-manifest.json',
  index: '/ai/v1.0/sitemap-index.json',
  sitemap: '/ai/v1.0/sitemaps/product.json',
  entity: '/ai/v1.0/entities/product/product-00.json',
} as const

export function fetchFrom(server: AadpServer, path: string, init?: RequestInit): Promise<Response> {
  return server.handleRequest(new Request(ORIGIN + path, init))
}

export async function jsonFrom<Document>(
  server: AadpServer,
  path: string,
  init?: RequestInit,
): Promise<Document> {
  return (await (await fetchFrom(server, path, init)).json()) as Document
}

/** A request that no URL parser has tidied up. */
export function rawRequest(url: string, headers: Readonly<Record<string, string>> = {}): IncomingRequest {
  return {
    method: 'GET',
    url,
    headers: { get: (name) => headers[name] ?? null },
    signal: new AbortController().signal,
  }
}
