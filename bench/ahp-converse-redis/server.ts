import { setTimeout as sleep } from 'node:timers/promises'
import { createKnowledge } from '@doorplate/ahp-converse/knowledge'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import { createRedisState } from '@doorplate/ahp-converse/redis'
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { Redis } from 'ioredis'
import { thousandPassages } from '../ahp-converse/thousand-passages.js'
import { serveContender } from '../src/serve-contender.js'

/** Forked as `server.ts <contender> [port of Redis]`: one process of a site, which keeps its state in Redis or in memory. */
const redisPort = process.argv[3]
const state =
  redisPort === undefined
    ? undefined
    : createRedisState(new Redis(Number(redisPort), { enableAutoPipelining: true }))

const concierge = defineConcierge({
  name: 'A thousand passages',
  publicUrl: 'https://books.example',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  knowledge: await createKnowledge({ documents: thousandPassages() }),
  capabilities: {
    kept: { description: 'Answers that are kept.', mode: 'MODE2' },
    fresh: { description: 'Answers that are made anew.', mode: 'MODE2', cache: false },
    waiting: {
      description: 'Answers that wait, as for a model.',
      mode: 'MODE2',
      cache: false,
      async answer() {
        await sleep(100)
        return { answer: 'Here it is.' }
      },
    },
  },
  limits: { unauthenticated: { ask: '999999999/day' }, ...(state && { store: state.limits }) },
  sessions: { ...(state && { store: state.sessions }) },
  cache: { ...(state && { store: state.cache }) },
})
serveContender(toNodeListener(concierge))
