import { hasRedis, type RedisServer, startRedis } from '@internal/loopback'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisState, type RedisState } from '../../src/redis.js'
import { type ConciergeConfig, defineConcierge, type StoredSession } from '../../src/server.js'
import type { Turn } from '../../src/turn.js'
import { LIMITS, newJob, OWNERS } from '../job-steps.js'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.js'

/** Of ioredis as the documentation has it. */
const CLIENT = {
  host: '127.0.0.1',
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  retryStrategy: () => 10,
} as const
const SESSION: StoredSession = { owner: 'address a', version: 1, history: [], tokensUsed: 0, expiresAt: 1 }
const WRITE = { expectedVersion: 0, ttlMs: 60_000 }
const ANYONE = { address: '192.0.2.1' }

let redis: RedisServer
let direct: Redis

describe.skipIf(!hasRedis)(
  `a reply of Redis that is lost${hasRedis ? '' : ' (skipped: no redis-server)'}`,
  () => {
    beforeAll(async () => {
      redis = await startRedis()
      direct = new Redis(redis.port, { host: '127.0.0.1' })
    })
    afterAll(async () => {
      direct.disconnect()
      await redis[Symbol.asyncDispose]()
    })

    it('takes a turn from nobody, and lets nobody else take it', async () => {
      await using away = await startAway('turn')
      const lost = away.proxy.cutAfter('once')
      const taken = away.state.sessions.write('once', SESSION, WRITE)
      await lost
      expect(await direct.hget('turn:session:once', 'version')).toBe('1')
      const other = createRedisState(direct, { prefix: 'turn' }).sessions
      expect([await taken, await other.write('once', SESSION, WRITE)]).toEqual([true, false])
    })

    it('neither loses a job nor adds it twice', async () => {
      await using away = await startAway('job')
      const { jobs } = away.state
      const job = newJob({ at: 1, owner: OWNERS[0], hasKey: true, queue: 'work' })
      const lost = away.proxy.cutAfter(job.id)
      const added = jobs.add(job, LIMITS)
      await lost
      expect([await added, await jobs.count()]).toEqual([{ outcome: 'added' }, { open: 1, ended: 0 }])
    })

    it('keeps no visitor waiting for an answer that is there', async () => {
      await using away = await startAway('removed')
      const { jobs } = away.state
      const job = newJob({ at: 1, owner: OWNERS[0], hasKey: true, queue: 'work' })
      await jobs.add(job, LIMITS)
      const lost = away.proxy.cutAfter(job.id)
      const removed = jobs.remove(job.id, { expectedVersion: 1 })
      await lost
      expect(await removed).toBe(true)
      expect(await jobs.remove(job.id, { expectedVersion: 1 })).toBe(false)
    })

    it.each(['talk', 'order'] as const)(
      'costs a session no turn while Redis stays away: %s',
      async (capability) => {
        await using away = await startAway(capability)
        const concierge = defineConcierge({
          ...siteIn(away.state),
          sessions: { authenticated: { maxTurns: 3 }, store: away.state.sessions },
          onError: () => undefined,
        })
        const ask = async (sessionId?: string): Promise<unknown> => {
          const request = {
            capability,
            query: 'q',
            ...(sessionId !== undefined && { session_id: sessionId }),
          }
          return (await concierge.converse({ request, caller: { ...ANYONE, principal: { id: 'p' } } })).body
        }
        const { session_id: id } = (await ask()) as { readonly session_id: string }
        for (let times = 0; times < 2; times++) {
          const lost = away.proxy.cutAfter(`"version":${2 + times}`)
          const refused = ask(id)
          await lost
          away.proxy.close()
          expect(await refused).toMatchObject({ status: 'error', code: 'unavailable' })
          away.proxy.open()
          await away.ready()
        }
        expect(await direct.hget(`${capability}:session:${id}`, 'version')).toBe('3')
        const replies = [await ask(id), await ask(id), await ask(id)]
        expect(replies).toMatchObject([
          { status: 'success', response: { answer: '1 before.' } },
          { status: 'success', response: { answer: '2 before.' } },
          { status: 'error', code: 'rate_limited', scope: 'session' },
        ])
      },
    )
  },
)

interface Away extends AsyncDisposable {
  readonly state: RedisState
  readonly proxy: CuttingProxy
  ready(): Promise<void>
}

/** State in the Redis behind a proxy. */
async function startAway(prefix: string): Promise<Away> {
  const proxy = await startCuttingProxy(redis.port)
  const client = new Redis(proxy.port, CLIENT)
  client.on('error', () => undefined)
  const ready = (): Promise<void> =>
    new Promise((resolve) => {
      if (client.status === 'ready') resolve()
      else client.once('ready', resolve)
    })
  await ready()
  return {
    proxy,
    ready,
    state: createRedisState(client, { prefix, timeoutMs: 300, retryMs: 2000 }),
    async [Symbol.asyncDispose]() {
      client.disconnect()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

function siteIn({ jobs }: RedisState): ConciergeConfig {
  const answer = ({ history }: Turn): { answer: string } => ({ answer: `${history.length} before.` })
  return {
    name: 'Shop',
    publicUrl: 'https://shop.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    verify: () => null,
    capabilities: {
      talk: { description: 'Talks.', mode: 'MODE2', answer },
      order: {
        description: 'Acts.',
        mode: 'MODE3',
        actionType: 'action',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        answer: (turn) => ({ ...answer(turn), output: {} }),
      },
    },
    jobs: { store: jobs },
  }
}
