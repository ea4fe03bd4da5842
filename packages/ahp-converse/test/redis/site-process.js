// Run by tests as one of the processes of a site: node site-process.js <port of Redis> <ledger>
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBullAnswerer, createBullWorker } from '@doorplate/ahp-converse/bullmq'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import { createRedisState } from '@doorplate/ahp-converse/redis'
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { Redis } from 'ioredis'

/** @import { AddressInfo } from 'node:net' */
/** @import { Turn } from '@doorplate/ahp-converse' */
/** @import { CapabilityConfig } from '@doorplate/ahp-converse/server' */

const port = Number(process.argv[2])
const LEASE_MS = 8000
const retryStrategy = () => 100
const client = new Redis(port, {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy,
}).on('error', () => undefined)
/** Where it is written what was begun and done, for the test to read. */
const ledger = process.argv[3] ?? ''
const { pid } = process
// A machine that is busy is not away.
const state = createRedisState(client, { timeoutMs: 30_000 })
const bull = {
  connection: { port, maxRetriesPerRequest: null, retryStrategy },
  onConnectionError: () => undefined,
}
const parcels = createBullAnswerer(bull)
createBullWorker(act, { ...bull, concurrency: 16, leaseMs: LEASE_MS })

/** @param {Turn} turn */
async function act({ query, idempotencyKey = '' }) {
  appendFileSync(ledger, `${JSON.stringify({ step: 'begun', query, idempotencyKey, pid })}\n`)
  await sleep(100 + Math.random() * 300)
  appendFileSync(ledger, `${JSON.stringify({ step: 'done', query, idempotencyKey, pid })}\n`)
  return { answer: `Done: ${query}.`, output: { done: true } }
}

/** @type {Omit<CapabilityConfig, 'actionType'>} */
const surface = {
  description: 'Does something.',
  mode: 'MODE3',
  responseTypes: ['text/answer'],
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
}

const concierge = defineConcierge({
  name: 'A site of many processes',
  publicUrl: 'https://site.test',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
  capabilities: {
    talk: {
      description: 'Counts turns.',
      mode: 'MODE2',
      async answer({ history }) {
        await sleep(5)
        return { answer: `${history.length} before.` }
      },
    },
    order: { ...surface, actionType: 'action', acceptAfterMs: 60, answer: act },
    report: { ...surface, actionType: 'async', restartable: true, answer: act },
    parcel: {
      ...surface,
      actionType: 'action',
      acceptAfterMs: 60,
      restartable: true,
      answer: parcels.answer,
    },
  },
  verify: ({ value }) => ({ id: value }),
  trustedProxies: ['127.0.0.1'],
  limits: {
    unauthenticated: { read: '99999/hour', ask: '99999/hour' },
    authenticated: { read: '99999/hour', ask: '100/hour', action: '99999/hour' },
    store: state.limits,
  },
  sessions: { authenticated: { maxTurns: 10 }, store: state.sessions },
  cache: { store: state.cache },
  jobs: { store: state.jobs, leaseMs: LEASE_MS, maxOpenJobsPerOwner: 10_000 },
  onError: (error, fault) => {
    process.send?.({ fault, code: /** @type {{ code?: unknown }} */ (error).code, text: String(error) })
  },
})
const server = createServer(toNodeListener(concierge)).listen(0, '127.0.0.1', () => {
  process.send?.({ port: /** @type {AddressInfo} */ (server.address()).port })
})
process.on('disconnect', () => process.exit())
