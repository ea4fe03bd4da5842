import type { Outcome } from '@doorplate/ahp-converse'
import type { CapabilityConfig } from '@doorplate/ahp-converse/server'
import { money } from '../shop/money.js'
import { CURRENCY, type Order, type Product, type Shop } from '../shop/shop.js'
import type { Carrier } from './carrier.js'
import { ORDER_INPUT, orderIn } from './order-input.js'
import { parcelTracking } from './parcel-tracking.js'
import { restock } from './restock.js'
import { ORDERS_READ, QUOTES_WRITE } from '../shop/scopes.js'
import { SKU } from './sku.js'

const CENTS = { type: 'integer', minimum: 0 } as const
const SKU_IN_TEXT = /\b[A-Z]+-[A-Z]+-\d{3}\b/i

/** What can be asked of the shop, and done there. */
export function shopCapabilities(
  shop: Shop,
  { carrier, now }: { readonly carrier: Carrier | undefined; readonly now: () => number },
): Readonly<Record<string, CapabilityConfig>> {
  return {
    inventory_check: inventoryCheck(shop),
    get_quote: getQuote(shop, now),
    order_lookup: orderLookup(shop),
    restock: restock(shop, now),
    ...(carrier === undefined ? {} : { parcel_tracking: parcelTracking(shop, carrier) }),
  }
}

function inventoryCheck(shop: Shop): CapabilityConfig {
  return {
    description: 'Says what a product costs, whether it is there and how soon it comes.',
    mode: 'MODE3',
    actionType: 'query',
    inputSchema: {
      type: 'object',
      properties: { sku: SKU, quantity: { type: 'integer', minimum: 1, maximum: 10_000 } },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        sku: SKU,
        exists: { type: 'boolean' },
        name: { type: 'string' },
        available: { type: 'boolean' },
        stock: { type: ['integer', 'null'] },
        lead_days: { type: 'integer' },
        price_cents: CENTS,
        currency: { const: CURRENCY },
      },
      required: ['sku', 'exists'],
    },
    answer({ query, input = {}, clarification }) {
      const { quantity = 1 } = input as { quantity?: number }
      const sku = skuIn(input['sku'], clarification?.reply, query)
      if (sku === undefined) return whichProduct(shop)
      const product = shop.product(sku)
      return product === undefined ? noSuchProduct(sku) : availability(product, quantity)
    },
  }
}

function skuIn(...texts: readonly unknown[]): string | undefined {
  for (const text of texts) {
    const [sku] = typeof text === 'string' ? (SKU_IN_TEXT.exec(text) ?? []) : []
    if (sku !== undefined) return sku.toUpperCase()
  }
  return undefined
}

function whichProduct(shop: Shop): Outcome {
  const options = shop.products().map(({ sku, name }) => `${sku}: ${name}`)
  return { clarification: { question: 'Which product is it about?', options } }
}

function noSuchProduct(sku: string): Outcome {
  return { answer: `There is no product ${sku} here.`, output: { sku, exists: false } }
}

function availability(product: Product, quantity: number): Outcome {
  const { sku, name, stock, leadDays, priceCents } = product
  const available = stock === null || stock >= quantity
  const there = stock === null ? 'It does not run out' : `${String(stock)} in stock`
  const delivery = leadDays === 0 ? 'at once' : `in ${String(leadDays)} days`
  return {
    answer: `${name} (${sku}) costs ${money(priceCents)}. ${there}; ${String(quantity)} can ${available ? '' : 'not '}be had ${delivery}.`,
    output: {
      ...{ sku, exists: true, name, available, stock },
      ...{ lead_days: leadDays, price_cents: priceCents, currency: CURRENCY },
    },
  }
}

function getQuote(shop: Shop, now: () => number): CapabilityConfig {
  return {
    description: 'Makes a quote for a product, which is good for two weeks.',
    mode: 'MODE3',
    actionType: 'action',
    scopes: [QUOTES_WRITE],
    inputSchema: {
      type: 'object',
      properties: { sku: SKU, quantity: { type: 'integer', minimum: 1, maximum: 1000 } },
      required: ['sku'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        sku: SKU,
        quote: { type: 'string' },
        quantity: { type: 'integer' },
        total_cents: CENTS,
        currency: { const: CURRENCY },
        valid_until: { type: 'string', format: 'date-time' },
      },
      required: ['sku'],
    },
    answer({ input, principal, idempotencyKey }) {
      const { sku, quantity = 1 } = input as { sku: string; quantity?: number }
      if (principal === undefined || idempotencyKey === undefined)
        throw new Error('An action without a doer.')
      const quote = shop.quote({ key: idempotencyKey, customer: principal.id, sku, quantity, now: now() })
      if (quote === undefined) return refusedQuote(sku)
      const { number, totalCents, validUntil } = quote
      return {
        answer: `Quote ${number}: ${String(quantity)} × ${sku} for ${money(totalCents)}, good until ${validUntil.slice(0, 10)}.`,
        output: {
          ...{ sku, quote: number, quantity },
          ...{ total_cents: totalCents, currency: CURRENCY, valid_until: validUntil },
        },
      }
    },
  }
}

function refusedQuote(sku: string): Outcome {
  return {
    answer: `There is no product ${sku}, so there is no quote.`,
    output: { sku },
    payload: { action: 'get_quote', success: false, result: { sku } },
  }
}

function orderLookup(shop: Shop): CapabilityConfig {
  return {
    description: 'Says how far an order of yours is.',
    mode: 'MODE3',
    actionType: 'query',
    scopes: [ORDERS_READ],
    inputSchema: ORDER_INPUT,
    outputSchema: {
      type: 'object',
      properties: {
        orders: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              order: { type: 'string' },
              status: { type: 'string' },
              total_cents: CENTS,
              currency: { const: CURRENCY },
              placed_at: { type: 'string', format: 'date-time' },
            },
            required: ['order', 'status'],
          },
        },
      },
      required: ['orders'],
    },
    answer({ query, input = {}, principal }) {
      const customer = principal?.id ?? ''
      const wanted = orderIn(input['order'] ?? query)
      if (wanted === undefined) return ordersOutcome(shop.orders(customer))
      const order = shop.order(wanted, customer)
      return order === undefined
        ? { answer: `You have no order ${wanted}.`, output: { orders: [] } }
        : ordersOutcome([order])
    },
  }
}

function ordersOutcome(orders: readonly Order[]): Outcome {
  return {
    answer: orders.length === 0 ? 'You have no orders.' : orders.map(sentenceOf).join('\n'),
    output: {
      orders: orders.map(({ number, status, totalCents, placedAt }) => ({
        ...{ order: number, status, total_cents: totalCents },
        ...{ currency: CURRENCY, placed_at: placedAt },
      })),
    },
  }
}

function sentenceOf({ number, status, items, totalCents, placedAt }: Order): string {
  const what = items.map(({ sku, quantity }) => `${String(quantity)} × ${sku}`).join(', ')
  return `Order ${number} of ${placedAt.slice(0, 10)} (${what}, ${money(totalCents)}) is ${status}.`
}
