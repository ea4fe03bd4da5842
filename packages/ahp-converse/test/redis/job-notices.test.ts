import { hasRedis, type RedisServer, startRedis } from '@internal/loopback'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outcome } from '../../src/outcome.js'
import { createRedisState } from '../../src/redis.js'
import { type Concierge, type ConverseReply, defineConcierge, type JobChange } from '../../src/server.js'
import { newJob, OWNERS, LIMITS, end } from '../job-steps.js'

/** What processes tell each other of jobs. None looks by itself here: the clock of their looks stands still. */

let redis: RedisServer
let names = 0
const closing: (() => unknown)[] = []

function newClient(): Redis {
  const client = new Redis(redis.port, { maxRetriesPerRequest: 0, enableOfflineQueue: false })
  client.on('error', () => undefined)
  closing.push(() => {
    client.disconnect()
  })
  return client
}

interface Machine {
  readonly concierge: Concierge
  readonly ask: (key: string) => Promise<ConverseReply>
  /** What it was asked to do, and can now end. */
  readonly begun: ((outcome: Outcome) => void)[]
}

/** A machine that keeps its visitors waiting for an hour. */
function openMachine(prefix: string, maxConcurrent: number): Machine {
  const begun: ((outcome: Outcome) => void)[] = []
  const { jobs, sessions } = createRedisState(newClient(), { prefix })
  const concierge = defineConcierge({
    name: 'Shop',
    publicUrl: 'https://shop.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
    capabilities: {
      study: {
        description: 'Reads.',
        mode: 'MODE2',
        acceptAfterMs: 3_600_000,
        answer: () => new Promise((resolve) => begun.push(resolve)),
      },
    },
    sessions: { store: sessions },
    jobs: { store: jobs, maxConcurrent },
  })
  closing.push(() => concierge.close({ timeoutMs: 1 }))
  return {
    concierge,
    begun,
    ask: (idempotencyKey) =>
      concierge.converse({
        request: { capability: 'study', query: 'x' },
        caller: { address: '192.0.2.1' },
        idempotencyKey,
      }),
  }
}

function textOf({ body }: ConverseReply): string {
  return body.status === 'success' ? body.response.answer : body.status
}

describe.skipIf(!hasRedis)(`processes on Redis${hasRedis ? '' : ' (skipped: no redis-server here)'}`, () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    for (const close of closing.splice(0).toReversed()) await close()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  it('end a wait when another has done the work', async () => {
    const prefix = `notices-${names++}`
    const [one, other] = [openMachine(prefix, 1), openMachine(prefix, 1)]
    const asked = one.ask('key')
    await expect.poll(() => one.begun.length).toBe(1)
    const again = other.ask('key')
    await expect.poll(() => listeners(prefix)).toBe(2)
    one.begun[0]?.({ answer: 'Read.' })
    expect((await Promise.all([asked, again])).map(textOf)).toEqual(['Read.', 'Read.'])
    expect(other.begun).toEqual([])
  })

  it('take up what another has no place for', async () => {
    const prefix = `notices-${names++}`
    const [busy, idle] = [openMachine(prefix, 1), openMachine(prefix, 1)]
    void idle.concierge.runDueJobs()
    await expect.poll(() => listeners(prefix)).toBe(2)
    const first = busy.ask('first')
    await expect.poll(() => busy.begun.length).toBe(1)
    const second = busy.ask('second')
    await expect.poll(() => idle.begun.length).toBe(1)
    idle.begun[0]?.({ answer: 'Second.' })
    expect(textOf(await second)).toBe('Second.')
    busy.begun[0]?.({ answer: 'First.' })
    expect(textOf(await first)).toBe('First.')
  })

  it('are told of what is due, handed over or ended, and not of how it goes on', async () => {
    const prefix = `notices-${names++}`
    const { jobs } = createRedisState(newClient(), { prefix })
    const changes: JobChange[] = []
    const stop = jobs.subscribe?.((change) => changes.push(change))
    await expect.poll(() => listeners(prefix)).toBe(1)
    const job = newJob({ at: 1, owner: OWNERS[0], hasKey: false, queue: 'work' })
    const begun = newJob({ at: 2, owner: OWNERS[0], hasKey: false, queue: 'work' })
    await jobs.add(job, LIMITS)
    await jobs.add({ ...begun, state: 'running' }, LIMITS)
    const running = { ...job, state: 'running', version: 2 } as const
    await jobs.update(running, { expectedVersion: 1 })
    await jobs.update({ ...running, state: 'waiting', queue: 'operator', version: 3 }, { expectedVersion: 2 })
    await jobs.update(end({ ...job, version: 4 }, { at: 3, state: 'success', queue: 'delivery' }), {
      expectedVersion: 3,
    })
    await jobs.update(end({ ...begun, version: 2 }, { at: 3, state: 'failed', queue: undefined }), {
      expectedVersion: 1,
    })
    await expect
      .poll(() => changes)
      .toEqual([
        { id: 'job-1', isDue: true },
        { id: 'job-1', isDue: true },
        { id: 'job-1', isDue: true },
        { id: 'job-2', isDue: false },
      ])
    stop?.()
    await expect.poll(() => listeners(prefix)).toBe(0)
  })
})

async function listeners(prefix: string): Promise<number> {
  const client = newClient()
  if (client.status !== 'ready') await new Promise((resolve) => client.once('ready', resolve))
  const [, count] = (await client.pubsub('NUMSUB', `${prefix}:jobs`)) as [string, number]
  client.disconnect()
  return count
}
