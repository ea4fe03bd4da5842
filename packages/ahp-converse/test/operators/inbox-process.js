// Run by a test, and killed by it: node inbox-process.js <file of jobs> <how far the clock is ahead, ms>
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { createSqliteJobStore } from '@doorplate/ahp-converse/sqlite'

/** @import { AcceptedResponse } from '@doorplate/ahp-manifest/messages' */
/** @typedef {{ step: 'ask' | 'claim' | 'answer', subject: string, operator?: string }} Order */

const [, , jobs = '', aheadMs = '0'] = process.argv
const LIMIT = '1000000/minute'
const caller = { address: '127.0.0.1', principal: { id: 'customer' } }

const concierge = defineConcierge({
  name: 'A site that is killed',
  publicUrl: 'https://site.test',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
  capabilities: {
    help: { description: 'Helps.', mode: 'MODE2', answer: () => ({ answer: 'Here.' }) },
    ask_a_person: {
      description: 'Somebody answers.',
      mode: 'MODE3',
      actionType: 'async',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      restartable: true,
      answer: () => ({ escalation: {} }),
    },
  },
  verify: () => ({ id: 'customer' }),
  limits: { authenticated: { action: LIMIT, read: LIMIT } },
  jobs: { store: createSqliteJobStore(jobs), leaseMs: 3000, maxOpenJobsPerOwner: 100_000 },
  inbox: { claimMs: 1_000_000_000 },
  now: () => Date.now() + Number(aheadMs),
  onError: (error) => {
    console.error(error)
  },
})

/** @param {Order} order */
async function obey({ step, subject, operator: id = '' }) {
  const { inbox } = concierge
  const operator = { id }
  switch (step) {
    case 'ask': {
      const { body } = await concierge.converse({
        request: { capability: 'ask_a_person', query: subject, input: {} },
        caller,
        idempotencyKey: subject.replace(' ', '-'),
        signal: new AbortController().signal,
      })
      return body
    }
    case 'claim':
      return inbox.claim(subject, { operator })
    case 'answer': {
      const ticket = await inbox.read(subject)
      return inbox.answer(subject, { operator, answer: `Answer to ${ticket?.turn.query ?? ''}`, output: {} })
    }
  }
}

process.on('message', (/** @type {Order & { n: number }} */ order) => {
  obey(order).then(
    (value) => process.send?.({ n: order.n, value: value ?? null }),
    (/** @type {unknown} */ error) =>
      process.send?.({ n: order.n, code: /** @type {{ code?: string }} */ (error).code ?? String(error) }),
  )
})
process.send?.('ready')
