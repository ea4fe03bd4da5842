import type { CapabilityConfig } from '@doorplate/ahp-converse/server'
import type { Shop } from '../shop/shop.js'
import type { Carrier } from './carrier.js'
import { ORDER_INPUT, orderIn } from './order-input.js'
import { ORDERS_READ } from '../shop/scopes.js'

/** Asks the carrier, for as long as a visitor waits: a carrier that says nothing in time leaves the site unable to answer. */
export function parcelTracking(shop: Shop, carrier: Carrier): CapabilityConfig {
  return {
    description: 'Asks the carrier where the parcel of an order of yours is.',
    mode: 'MODE3',
    actionType: 'query',
    scopes: [ORDERS_READ],
    inputSchema: ORDER_INPUT,
    outputSchema: {
      type: 'object',
      properties: {
        order: { type: 'string' },
        parcel: { type: ['string', 'null'] },
        status: { type: 'string' },
      },
      required: ['order'],
    },
    async answer({ query, input = {}, principal, signal }) {
      const number = orderIn(input['order'] ?? query)
      if (number === undefined)
        return { clarification: { question: 'Which order is it about?', options: ordersOf(principal?.id) } }
      const order = shop.order(number, principal?.id ?? '')
      if (order === undefined) return { answer: `You have no order ${number}.`, output: { order: number } }
      const { parcel } = order
      if (parcel === null)
        return { answer: `Order ${number} has not been sent.`, output: { order: number, parcel } }
      const { status } = await carrier.track(parcel, { signal })
      return {
        answer: `The carrier says of parcel ${parcel} (order ${number}): ${status}`,
        output: { order: number, parcel, status },
      }
    },
  }

  function ordersOf(customer: string = ''): string[] {
    return shop.orders(customer).map(({ number }) => number)
  }
}
