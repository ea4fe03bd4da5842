import type { Outcome } from '../src/outcome.js'
import type { ConciergeConfig } from '../src/server.js'
import type { Turn } from '../src/turn.js'
import { type Bookshop, openBookshop } from './bookshop.js'

export const READER = { authorization: 'Bearer reader-token' }
export const STAFF = { authorization: 'Bearer staff-token' }

/** A bookshop that acts, with what it has done. */
export interface Desk extends Bookshop {
  /** The idempotency key of every effect, in order. */
  readonly effects: readonly string[]
  /** Turns that wait at a gate, oldest first. */
  readonly waiting: readonly Waiting[]
  /** The next turn to reach a gate. */
  readonly arrival: () => Promise<Waiting>
}

export interface Waiting {
  readonly turn: Turn
  readonly open: (outcome: Outcome) => void
  readonly fail: (error: unknown) => void
}

const ORDER_INPUT = {
  type: 'object',
  properties: { order_id: { type: 'string', pattern: '^ORD-[0-9]+$' } },
  required: ['order_id'],
  additionalProperties: false,
} as const
const ORDER_OUTPUT = {
  type: 'object',
  properties: { order_id: { type: 'string' }, state: { type: 'string' } },
  required: ['order_id', 'state'],
} as const
const ANYTHING = { type: 'object' } as const

export async function openDesk(overrides: Partial<ConciergeConfig> = {}): Promise<Desk> {
  const effects: string[] = []
  const waiting: Waiting[] = []
  const expected: ((arrived: Waiting) => void)[] = []

  function gate(turn: Turn): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const arrived = { turn, open: resolve, fail: reject }
      waiting.push(arrived)
      expected.shift()?.(arrived)
    })
  }

  function refund({ input, idempotencyKey = '' }: Turn): Outcome {
    effects.push(idempotencyKey)
    const orderId = String(input?.['order_id'])
    return {
      answer: `Refund number ${effects.length} of ${orderId}.`,
      output: { order_id: orderId, state: 'refunded' },
    }
  }

  const shop = await openBookshop({
    limits: { authenticated: { action: '10000/minute', read: '10000/minute' } },
    capabilities: {
      search: { description: 'Finds reviews.', mode: 'MODE2', answer: () => ({ answer: 'Here.' }) },
      order_state: {
        description: 'Tells the state of an order.',
        mode: 'MODE3',
        actionType: 'query',
        inputSchema: ORDER_INPUT,
        outputSchema: ORDER_OUTPUT,
        answer: ({ input }) => ({
          answer: 'It is on its way.',
          output: { order_id: String(input?.['order_id']), state: 'sent', secret: 'kept' },
        }),
      },
      refund: {
        description: 'Gives money back.',
        mode: 'MODE3',
        actionType: 'action',
        scopes: ['staff'],
        inputSchema: ORDER_INPUT,
        outputSchema: ORDER_OUTPUT,
        answer: refund,
      },
      quote: {
        description: 'Makes an offer.',
        mode: 'MODE3',
        actionType: 'async',
        inputSchema: ANYTHING,
        outputSchema: ANYTHING,
        etaSeconds: 90,
        answer: gate,
      },
      wrap: {
        description: 'Wraps a present, while the visitor waits a little.',
        mode: 'MODE3',
        actionType: 'action',
        inputSchema: ANYTHING,
        outputSchema: ANYTHING,
        acceptAfterMs: 1,
        answer: gate,
      },
      tell: { description: 'Tells something, in its own time.', mode: 'MODE2', answer: gate },
      study: { description: 'Reads a lot.', mode: 'MODE2', acceptAfterMs: 1, answer: gate },
      purpose: {
        description: 'Asks what for.',
        mode: 'MODE3',
        actionType: 'query',
        requireIntent: true,
        inputSchema: ANYTHING,
        outputSchema: ANYTHING,
        answer: ({ userIntent = '' }) => ({ answer: `For ${userIntent}.`, output: {} }),
      },
      mistaken: {
        description: 'Breaks its own promise.',
        mode: 'MODE3',
        actionType: 'query',
        inputSchema: ANYTHING,
        outputSchema: ORDER_OUTPUT,
        answer: () => ({ answer: 'Done.', output: { order_id: 7 } }),
      },
      which: {
        description: 'Asks back before it acts.',
        mode: 'MODE3',
        actionType: 'action',
        inputSchema: ANYTHING,
        outputSchema: ANYTHING,
        answer({ clarification, input, idempotencyKey = '' }) {
          if (clarification === undefined)
            return { clarification: { question: 'Which colour?', options: ['red', 'blue'] } }
          effects.push(idempotencyKey)
          return { answer: `Painted ${clarification.reply}.`, output: { ...input } }
        },
      },
    },
    ...overrides,
  })
  return {
    ...shop,
    effects,
    waiting,
    arrival: () => new Promise((resolve) => expected.push(resolve)),
    async close() {
      await shop.close()
      await shop.concierge.close({ timeoutMs: 1 })
    },
  }
}
