import { defineResource, forbidden, unauthorized, type Resource } from '@doorplate/aadp-server'
import type { VerifyCredential } from '@doorplate/ahp-converse/server'
import { ORDERS_READ } from '../shop/scopes.js'
import { entityIdOf, slugOfSku } from '../routes.js'
import { CURRENCY, type Order, type Product, type Shop } from '../shop/shop.js'
import { pageAfter } from './page-after.js'

/** How customers prove who they are; the concierge takes the same field. */
export const CUSTOMER_SCHEME = { type: 'api_key', in: 'header', name: 'X-AHP-Key' } as const
export const CUSTOMER_SCHEME_ID = 'customer_token'

export function productResource(shop: Shop): Resource<Product> {
  return defineResource<Product>({
    type: 'product',
    mediaTypes: ['text'],
    count: () => shop.products().length,
    list: (page) => pageAfter(shop.products(), nameOf, page),
    get: ({ id }) => shop.products().find((product) => nameOf(product) === id),
    serialize: (product) => ({
      id: entityIdOf({ type: 'product', slug: nameOf(product) }),
      updatedAt: product.updatedAt,
      locale: 'en',
      data: {
        title: product.name,
        summary: product.summary,
        sku: product.sku,
        price_cents: product.priceCents,
        currency: CURRENCY,
        lead_days: product.leadDays,
      },
    }),
  })
}

function nameOf({ sku }: Product): string {
  return slugOfSku(sku)
}

/** Open to customers alone, and to each only what is its own. */
export function orderResource(shop: Shop, verify: VerifyCredential): Resource<Order> {
  async function customerOf(request: Request | undefined): Promise<string> {
    const value = request?.headers.get(CUSTOMER_SCHEME.name)
    const principal = value == null ? null : await verify({ scheme: 'api_key', value })
    if (principal === null) throw unauthorized('Orders are shown to those who placed them.')
    if (principal.scopes?.includes(ORDERS_READ) !== true) throw forbidden('This token is not for orders.')
    return principal.id
  }

  return defineResource<Order>({
    type: 'order',
    mediaTypes: ['text'],
    security: CUSTOMER_SCHEME_ID,
    async list({ request, cursor, limit }) {
      const orders = shop.orders(await customerOf(request))
      return pageAfter(orders, orderName, { cursor, limit })
    },
    async get({ request, id }) {
      const customer = await customerOf(request)
      return shop.order(id.toUpperCase(), customer)
    },
    serialize: (order) => ({
      id: entityIdOf({ type: 'order', slug: orderName(order) }),
      updatedAt: order.updatedAt,
      data: {
        title: order.number,
        status: order.status,
        items: order.items.map(({ sku, quantity }) => ({ sku, quantity })),
        total_cents: order.totalCents,
        currency: CURRENCY,
        placed_at: order.placedAt,
      },
    }),
  })
}

function orderName({ number }: Order): string {
  return number.toLowerCase()
}
