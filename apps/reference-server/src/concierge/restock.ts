import type { CapabilityConfig } from '@doorplate/ahp-converse/server'
import type { Shop } from '../shop/shop.js'
import { STOCK_WRITE } from '../shop/scopes.js'
import { SKU } from './sku.js'

/** For the people of the shop: no customer may do it. */
export function restock(shop: Shop, now: () => number): CapabilityConfig {
  return {
    description: 'Writes down how many of a product there are. For the staff of the shop.',
    mode: 'MODE3',
    actionType: 'action',
    scopes: [STOCK_WRITE],
    // The same number written twice is the same number.
    restartable: true,
    inputSchema: {
      type: 'object',
      properties: { sku: SKU, stock: { type: 'integer', minimum: 0, maximum: 1_000_000 } },
      required: ['sku', 'stock'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { sku: SKU, stock: { type: ['integer', 'null'] } },
      required: ['sku'],
    },
    answer({ input }) {
      const { sku, stock } = input as { sku: string; stock: number }
      const product = shop.restock(sku, stock, now())
      if (product === undefined)
        return {
          answer: `There is no product ${sku} here.`,
          output: { sku },
          payload: { action: 'restock', success: false, result: { sku } },
        }
      return { answer: `There are ${String(stock)} of ${sku} now.`, output: { sku, stock: product.stock } }
    },
  }
}
