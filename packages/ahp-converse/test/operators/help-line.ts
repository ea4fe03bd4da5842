import type { AcceptedResponse, ConverseResponse } from '@doorplate/ahp-manifest/messages'
import type { ConciergeConfig, Operator } from '../../src/server.js'
import { type Bookshop, openBookshop } from '../bookshop.js'

export const READER = { authorization: 'Bearer reader-token' }
export const ANN: Operator = { id: 'ann', name: 'Ann' }
export const BOB: Operator = { id: 'bob' }

/** A bookshop where people answer. */
export interface HelpLine extends Bookshop {
  /** Asks a person, and gives the id of the ticket when it is in the inbox. */
  askPerson(query: string, body?: Readonly<Record<string, unknown>>): Promise<string>
  poll(id: string): Promise<ConverseResponse>
}

const ANYTHING = { type: 'object' } as const

const QUOTE = {
  type: 'object',
  properties: {
    price: { type: 'number', title: 'Price', description: 'In euros.' },
    copies: { type: 'integer' },
    binding: { enum: ['cloth', 'paper'] },
    gift: { type: 'boolean' },
    remark: { type: 'string' },
  },
  required: ['price', 'binding'],
  additionalProperties: false,
} as const

export async function openHelpLine(overrides: Partial<ConciergeConfig> = {}): Promise<HelpLine> {
  const person = {
    mode: 'MODE3',
    actionType: 'async',
    inputSchema: ANYTHING,
    outputSchema: ANYTHING,
    answer: () => ({ escalation: { note: 'A regular customer.', etaSeconds: 600 } }),
  } as const
  const shop = await openBookshop({
    limits: { authenticated: { action: '10000/minute', read: '10000/minute' } },
    capabilities: {
      search: { description: 'Finds reviews.', mode: 'MODE2', answer: () => ({ answer: 'Here.' }) },
      ask_a_person: { ...person, description: 'Somebody at the desk answers.' },
      quote: { ...person, description: 'Somebody makes an offer.', outputSchema: QUOTE },
      nested: {
        ...person,
        description: 'Somebody fills in a list.',
        outputSchema: {
          type: 'object',
          properties: { titles: { type: 'array', items: { type: 'string' } } },
          required: ['titles'],
        },
      },
    },
    ...overrides,
  })
  return {
    ...shop,
    async askPerson(query, body = {}) {
      const seen = await shop.ask({ capability: 'ask_a_person', query, ...body }, { headers: READER })
      const { session_id: id } = seen.json as AcceptedResponse
      while ((await shop.concierge.inbox.read(id)) === undefined) await shop.concierge.runDueJobs()
      return id
    },
    async poll(id) {
      const seen = await shop.visit({ path: `/agent/converse/status/${id}`, headers: READER })
      return seen.json as ConverseResponse
    },
    async close() {
      await shop.close()
      await shop.concierge.close({ timeoutMs: 1 })
    },
  }
}
