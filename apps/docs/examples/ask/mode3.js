// mode3.js
import { createServer } from 'node:http'
import { createKnowledge } from '@doorplate/ahp-converse/knowledge'
import { createCallbackTransport, toNodeListener } from '@doorplate/ahp-converse/node'
import { createSecretVerifier, defineConcierge } from '@doorplate/ahp-converse/server'
import { createSqliteJobStore } from '@doorplate/ahp-converse/sqlite'
import { documents, pages } from './pages.js'

const { PORT = '3000', AGENT_TOKEN, CALLBACK_SECRET } = process.env
if (!AGENT_TOKEN || !CALLBACK_SECRET) throw new Error('AGENT_TOKEN and CALLBACK_SECRET are needed')
const order = {
  type: 'object',
  properties: { order_id: { type: 'string' } },
  required: ['order_id'],
}

const concierge = defineConcierge({
  name: 'The Book Shelf',
  publicUrl: `http://localhost:${PORT}`,
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  knowledge: await createKnowledge({ documents }),
  capabilities: {
    help: { description: 'Answers questions about the shop.', mode: 'MODE2' },
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

const answers = toNodeListener(concierge)
const server = createServer((request, response) => {
  answers(request, response, () => pages(request, response))
}).listen(PORT, () => console.log('ready'))
process.once('SIGTERM', () => server.close(() => concierge.close()))
