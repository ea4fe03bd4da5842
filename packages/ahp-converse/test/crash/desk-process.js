// Run by a test, and killed by it: node desk-process.js <file of jobs> <file of what was done> <how far the clock is ahead, ms>
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { createSqliteJobStore } from '@doorplate/ahp-converse/sqlite'

/** @import { AddressInfo } from 'node:net' */
/** @import { Turn } from '@doorplate/ahp-converse' */
/** @import { CapabilityConfig } from '@doorplate/ahp-converse/server' */

const [, , jobs = '', ledger = '', aheadMs = '0'] = process.argv

/** @param {Turn} turn */
async function act({ query, idempotencyKey = '' }) {
  appendFileSync(ledger, `${JSON.stringify({ query, key: idempotencyKey, step: 'begun' })}\n`)
  await sleep(Math.random() * 8)
  appendFileSync(ledger, `${JSON.stringify({ query, key: idempotencyKey, step: 'done' })}\n`)
  return { answer: `Done: ${query}.`, output: {} }
}

/** @type {Omit<CapabilityConfig, 'actionType'>} */
const surface = {
  description: 'Does something.',
  mode: 'MODE3',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  answer: act,
}
const LIMIT = '1000000/minute'

const concierge = defineConcierge({
  name: 'A site that is killed',
  publicUrl: 'https://site.test',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
  capabilities: {
    talk: { description: 'Talks.', mode: 'MODE2', answer: () => ({ answer: 'Hello.' }) },
    order: { ...surface, actionType: 'action', acceptAfterMs: 4 },
    report: { ...surface, actionType: 'async', restartable: true },
  },
  verify: () => ({ id: 'customer' }),
  limits: { authenticated: { action: LIMIT, read: LIMIT } },
  jobs: { store: createSqliteJobStore(jobs), leaseMs: 3000, maxConcurrent: 4, maxOpenJobsPerOwner: 100_000 },
  now: () => Date.now() + Number(aheadMs),
  onError: (error) => {
    console.error(error)
  },
})

const server = createServer(toNodeListener(concierge)).listen(0, '127.0.0.1', () => {
  process.send?.(/** @type {AddressInfo} */ (server.address()).port)
})
