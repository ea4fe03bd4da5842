import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Outcome } from '../src/outcome.js'
import { type Concierge, createMemoryJobStore, defineConcierge, type JobStore } from '../src/server.js'
import type { Turn } from '../src/turn.js'

/** Two processes that share a store, each with a clock of its own; none looks by itself. */

const LEASE_MS = 3_000

interface Process {
  readonly concierge: Concierge
  /** What it was asked to do. */
  readonly begun: readonly Work[]
  pass(ms: number): void
}

interface Work {
  readonly turn: Turn
  readonly open: (outcome: Outcome) => void
}

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
const opened: Concierge[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((concierge) => concierge.close({ timeoutMs: 1 })))
})

function start(store: JobStore, restartable: boolean): Process {
  let time = 1_767_225_600_000
  const begun: Work[] = []
  const concierge = defineConcierge({
    name: 'Shop',
    publicUrl: 'https://shop.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
    capabilities: {
      talk: { description: 'Talks.', mode: 'MODE2', answer: () => ({ answer: 'Hello.' }) },
      order: {
        description: 'Orders.',
        mode: 'MODE3',
        actionType: 'async',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        restartable,
        answer: (turn) => new Promise((open) => begun.push({ turn, open })),
      },
    },
    verify: ({ value }) => ({ id: value }),
    jobs: { store, leaseMs: LEASE_MS },
    now: () => time,
  })
  opened.push(concierge)
  return {
    concierge,
    begun,
    pass(ms) {
      time += ms
    },
  }
}

const CALLER = { address: '192.0.2.1', principal: { id: 'p' } }

/** Gives the id of the job. */
async function order({ concierge }: Process): Promise<string> {
  const { body } = await concierge.converse({
    request: { capability: 'order', query: 'x' },
    caller: CALLER,
  })
  return body.status === 'accepted' ? body.session_id : body.status
}

/** A look: what it begins goes on afterwards, and it fails while the store does. */
async function look({ concierge }: Process): Promise<void> {
  concierge.runDueJobs().catch((error: unknown) => {
    expect(error).toMatchObject({ stage: 'state' })
  })
  await new Promise(setImmediate)
}

describe('a lease', () => {
  it('is renewed by the process that works on the job, so that no other takes it up', async () => {
    const store = createMemoryJobStore()
    const [one, other] = [start(store, true), start(store, true)]
    const id = await order(one)
    for (let thirds = 0; thirds < 9; thirds++) {
      for (const process of [one, other]) process.pass(LEASE_MS / 3)
      await look(one)
      await look(other)
    }
    expect([one.begun.length, other.begun.length]).toEqual([1, 0])
    one.begun[0]?.open({ answer: 'Done.', output: {} })
    await expect.poll(async () => (await store.read(id))?.state).toBe('success')
  })

  it('that has run out is taken over where that is allowed: whoever had it is told, and ends nothing', async () => {
    const store = createMemoryJobStore()
    const [silent, other] = [start(store, true), start(store, true)]
    const id = await order(silent)
    other.pass(LEASE_MS)
    await look(other)
    const keys = [silent.begun[0]?.turn.idempotencyKey, other.begun[0]?.turn.idempotencyKey]
    expect(keys).toEqual([id, id])
    // It comes back, and finds out when it renews.
    silent.pass(LEASE_MS / 3)
    await look(silent)
    expect(silent.begun[0]?.turn.signal.reason).toMatchObject({ name: 'AbortError' })
    silent.begun[0]?.open({ answer: 'Too late.', output: {} })
    other.begun[0]?.open({ answer: 'Done.', output: {} })
    await expect
      .poll(() => store.read(id))
      .toMatchObject({ state: 'success', result: { response: { answer: 'Done.' } } })
  })

  it('that has run out ends as failed what may have had its effect', async () => {
    const store = createMemoryJobStore()
    const [silent, other] = [start(store, false), start(store, false)]
    const id = await order(silent)
    other.pass(LEASE_MS)
    await look(other)
    expect(other.begun).toEqual([])
    const message = expect.stringContaining('may have had its effect') as string
    expect(await store.read(id)).toMatchObject({ state: 'failed', result: { message } })
    silent.begun[0]?.open({ answer: 'Too late.', output: {} })
    await new Promise(setImmediate)
    expect(await store.read(id)).toMatchObject({ state: 'failed' })
  })

  it('is held by nobody who could not renew it', async () => {
    const store = createMemoryJobStore()
    let isAway = false
    const shared: JobStore = {
      ...store,
      renew(leases, options) {
        if (isAway) throw new Error('The store is away.')
        return store.renew(leases, options)
      },
    }
    const [one, other] = [start(shared, true), start(store, true)]
    const id = await order(one)
    isAway = true
    one.pass(LEASE_MS)
    await look(one)
    other.pass(LEASE_MS)
    await look(other)
    isAway = false
    one.pass(1)
    await look(one)
    expect(one.begun[0]?.turn.signal.aborted).toBe(true)
    other.begun[0]?.open({ answer: 'Done.', output: {} })
    await expect.poll(async () => (await store.read(id))?.state).toBe('success')
  })
})
