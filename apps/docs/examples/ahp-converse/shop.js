// shop.mjs
import { createServer } from 'node:http'
import { createCallbackTransport, toNodeListener } from '@doorplate/ahp-converse/node'
import { createSecretVerifier, defineConcierge } from '@doorplate/ahp-converse/server'
import { createSqliteJobStore } from '@doorplate/ahp-converse/sqlite'

const { PORT = '3000', AGENT_TOKEN, CALLBACK_SECRET } = process.env
if (!AGENT_TOKEN || !CALLBACK_SECRET) throw new Error('AGENT_TOKEN and CALLBACK_SECRET are needed')
const order = {
  type: 'object',
  properties: { order_id: { type: 'string' } },
  required: ['order_id'],
}

const concierge = defineConcierge({
  name: 'My shop',
  publicUrl: `http://localhost:${PORT}`,
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  content: '# My shop\n',
  capabilities: {
    hours: { description: 'When we are there.', mode: 'MODE2', answer: () => ({ answer: 'From 9 to 5.' }) },
    refund: {
      description: 'Gives the money for an order back.',
      mode: 'MODE3',
      actionType: 'action',
      scopes: ['refunds'],
      inputSchema: order,
      outputSchema: order,
      answer({ input, idempotencyKey }) {
        console.log(`refund ${input?.order_id}, once, as ${idempotencyKey}`)
        return { answer: 'The money is on its way.', output: { order_id: input?.order_id } }
      },
    },
  },
  verify: createSecretVerifier([{ secret: AGENT_TOKEN, principal: { id: 'agent-1', scopes: ['refunds'] } }]),
  jobs: { store: createSqliteJobStore('jobs.db') },
  callbacks: { transport: createCallbackTransport(), secrets: () => [CALLBACK_SECRET] },
})

createServer(toNodeListener(concierge)).listen(PORT, () => console.log('ready'))
process.once('SIGTERM', () => concierge.close().then(() => process.exit()))
