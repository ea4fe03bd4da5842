import { type AadpServer, defineAADP, defineResource } from '@doorplate/aadp-server'

interface Product {
  readonly slug: string
  readonly title: string
  readonly text: string
  readonly priceCents: number
  readonly updatedAt: Date
}

/** A shop with this many products of about 1 KB each. */
export function declareShop(productCount: number, pageSize = 100): AadpServer {
  const products = Array.from({ length: productCount }, (_, index): Product => ({
    slug: `product-${String(index).padStart(6, '0')}`,
    title: `Product number ${String(index)}`,
    text: 'A thing that is useful in the kitchen, made of steel and wood. '.repeat(14),
    priceCents: 1000 + index,
    updatedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000),
  }))
  const bySlug = new Map(products.map((product) => [product.slug, product]))
  return defineAADP({
    baseUrl: 'https://shop.example',
    application: {
      name: 'Shop',
      description: 'Things for the kitchen.',
      publisher: { name: 'Shop', url: 'https://shop.example/about' },
    },
    policies: { robots: 'https://shop.example/robots.txt', terms: 'https://shop.example/terms' },
    pageSize,
    resources: [
      defineResource<Product>({
        type: 'product',
        list({ cursor, limit }) {
          const start = Number(cursor ?? 0)
          const end = start + limit
          return { items: products.slice(start, end), nextCursor: end < products.length ? String(end) : null }
        },
        get: ({ id }) => bySlug.get(id),
        identify: ({ slug, updatedAt }) => ({ name: slug, updatedAt }),
        serialize: ({ slug, title, text, priceCents, updatedAt }) => ({
          id: `product:${slug}`,
          updatedAt,
          data: { title, text, priceCents },
        }),
      }),
    ],
  })
}

/** What is measured: the documents of the protocol. */
export const PATHS = {
  manifest: '/.well-known/ai-manifest.json',
  index: '/ai/v1.0/sitemap-index.json',
  page: '/ai/v1.0/sitemaps/product.json',
  entity: '/ai/v1.0/entities/product/product-000007.json',
} as const
