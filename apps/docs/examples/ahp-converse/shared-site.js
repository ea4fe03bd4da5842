// shared-site.mjs
import { createServer } from 'node:http'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import { createRedisState } from '@doorplate/ahp-converse/redis'
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { Redis } from 'ioredis'

const client = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', {
  // What was lost with the connection fails at once, and is not sent again.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
})
client.on('error', (error) => console.error(error.message))
const { limits, sessions, cache, jobs } = createRedisState(client)

const concierge = defineConcierge({
  name: 'Example Books',
  publicUrl: 'https://books.example',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  capabilities: {
    greet: {
      description: 'Says hello.',
      mode: 'MODE2',
      answer: ({ history }) => ({ answer: `Hello ${history.length + 1}!` }),
    },
  },
  limits: { store: limits },
  sessions: { store: sessions },
  cache: { store: cache },
  jobs: { store: jobs },
})
createServer(toNodeListener(concierge)).listen(process.env.PORT ?? 3000, () => console.log('ready'))
