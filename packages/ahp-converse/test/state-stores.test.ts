import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasRedis, startRedis } from '@internal/loopback'
import { createClient, default as KeyvRedis } from '@keyv/redis'
import Database from 'better-sqlite3'
import { Keyv } from 'keyv'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterSQLite } from 'rate-limiter-flexible'
import { describe, expect, it } from 'vitest'
import { createKeyvSessionStore, type RateStore, type SessionStore } from '../src/server.js'
import { openBookshop, type Bookshop, type Seen } from './bookshop.js'

/** Its driver is compiled when it is installed, where that may be. */
const hasSqlite3 = canLoadDriverOf('@keyv/sqlite', 'sqlite3')

describe('limits in a limiter of rate-limiter-flexible', () => {
  it('hold in its memory', async () => {
    await expectSharedLimit(new RateLimiterMemory({ points: 1, duration: 1 }))
  })

  it('hold in SQLite, for two processes', async () => {
    const database = new Database(':memory:')
    const store = await new Promise<RateLimiterSQLite>((resolve, reject) => {
      const limiter: RateLimiterSQLite = new RateLimiterSQLite(
        { storeClient: database, storeType: 'better-sqlite3', tableName: 'limits', points: 1, duration: 1 },
        (error?: Error) => {
          if (error) reject(error)
          else resolve(limiter)
        },
      )
    })
    await expectSharedLimit(store)
    database.close()
  })

  it.skipIf(!hasRedis)(`hold in Redis, for two processes${whyNot(hasRedis, 'redis-server')}`, async () => {
    await using redis = await startRedis()
    const client = await createClient({ url: redis.url }).connect()
    await expectSharedLimit(
      new RateLimiterRedis({ storeClient: client, useRedisPackage: true, points: 1, duration: 1 }),
    )
    await client.close()
  })

  it.skipIf(!hasRedis)(`still hold when Redis is gone${whyNot(hasRedis, 'redis-server')}`, async () => {
    await using redis = await startRedis()
    const client = createClient({ url: redis.url, disableOfflineQueue: true })
    client.on('error', () => undefined)
    await client.connect()
    const store = new RateLimiterRedis({ storeClient: client, useRedisPackage: true, points: 1, duration: 1 })
    await using shop = await openShop({ limits: { unauthenticated: { ask: '2/minute' }, store } })
    expect((await shop.ask({ query: 'one' })).status).toBe(200)
    await redis[Symbol.asyncDispose]()
    expect(await statuses(shop, 3)).toEqual([200, 200, 429])
    expect(shop.faults).toContainEqual(expect.objectContaining({ stage: 'state' }))
    client.destroy()
  })
})

describe('sessions and answers in a Keyv', () => {
  it('are found in its memory by another process', async () => {
    await expectSharedState(new Keyv({ throwOnErrors: true }))
  })

  it.skipIf(!hasSqlite3)(`survive a restart in SQLite${whyNot(hasSqlite3, 'compiled sqlite3')}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyv-'))
    const { default: KeyvSqlite } = await import('@keyv/sqlite')
    const keyv = new Keyv(new KeyvSqlite(`sqlite://${join(folder, 'state.sqlite')}`), { throwOnErrors: true })
    await expectSharedState(keyv)
    await keyv.disconnect()
    rmSync(folder, { recursive: true })
  })

  it.skipIf(!hasRedis)(`survive a restart in Redis${whyNot(hasRedis, 'redis-server')}`, async () => {
    await using redis = await startRedis()
    const keyv = new Keyv(new KeyvRedis(redis.url), { throwOnErrors: true })
    await expectSharedState(keyv)
    await keyv.disconnect()
  })

  it.skipIf(!hasRedis)(`say so when Redis is gone${whyNot(hasRedis, 'redis-server')}`, async () => {
    await using redis = await startRedis()
    const adapter = new KeyvRedis(
      { url: redis.url, disableOfflineQueue: true },
      { throwOnErrors: true, throwOnConnectError: true },
    )
    const keyv = new Keyv(adapter, { throwOnErrors: true })
    keyv.on('error', () => undefined)
    await using shop = await openShop({
      sessions: { store: createKeyvSessionStore(keyv) },
      cache: { store: keyv },
    })
    const { session_id } = (await shop.ask({ query: 'one' })).json as { session_id: string }
    await redis[Symbol.asyncDispose]()
    const reply = await shop.ask({ query: 'two', session_id })
    expect(reply).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect(shop.faults).toContainEqual(expect.objectContaining({ stage: 'state' }))
    await keyv.disconnect().catch(() => undefined)
  })
})

describe('a session store', () => {
  it('that refuses a stale version keeps two processes from taking one turn twice', async () => {
    const kept = new Map<string, { readonly version: number }>()
    const store: SessionStore = {
      read: (id) => kept.get(id) as never,
      write(id, session, { expectedVersion }) {
        if ((kept.get(id)?.version ?? 0) !== expectedVersion) return false
        kept.set(id, session)
        return true
      },
    }
    let atOnce = 0
    let release = (): void => undefined
    const both = new Promise<void>((resolve) => (release = resolve))
    const capabilities = {
      search: {
        description: 'Waits for the other.',
        mode: 'MODE2',
        async answer({ history }: { readonly history: readonly unknown[] }) {
          if (history.length > 0 && ++atOnce === 2) release()
          if (history.length > 0) await both
          return { answer: `${history.length} before` }
        },
      },
    } as const
    await using one = await openShop({ sessions: { store }, capabilities })
    await using other = await openShop({ sessions: { store }, capabilities })
    const { session_id } = (await one.ask({ query: 'first' })).json as { session_id: string }
    const replies = await Promise.all([one, other].map((shop) => shop.ask({ query: 'second', session_id })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 503])
    expect(kept.get(session_id)).toMatchObject({ version: 2 })
  })
})

/** Two concierges that share a store count together. */
async function expectSharedLimit(store: RateStore): Promise<void> {
  const limits = { unauthenticated: { ask: '3/hour' }, store } as const
  await using one = await openShop({ limits })
  await using other = await openShop({ limits })
  expect(await statuses(one, 2)).toEqual([200, 200])
  const last = await other.ask({ query: 'q' })
  expect(last.headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'x-ratelimit-window': '3600' })
  const refused = await one.ask({ query: 'q' })
  expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited', scope: 'ip' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
  expect((await other.ask({ query: 'q' }, { from: '127.0.0.9' })).status).toBe(200)
}

/** What one concierge keeps, another finds: it might be the same one after a restart. */
async function expectSharedState(keyv: Keyv): Promise<void> {
  const options = { sessions: { store: createKeyvSessionStore(keyv) }, cache: { store: keyv } }
  await using one = await openShop(options)
  await using other = await openShop(options)
  const first = await one.ask({ query: 'one' })
  const { session_id } = first.json as { readonly session_id: string }
  expect(cached(first)).toBe(false)
  expect(cached(await other.ask({ query: 'one' }))).toBe(true)
  const second = await other.ask({ query: 'two', session_id })
  expect(second.text).toContain('Before you asked: one')
  expect((await other.ask({ query: 'three', session_id }, { from: '127.0.0.9' })).status).toBe(400)
  for (let turn = 3; turn <= 10; turn++) {
    expect((await (turn % 2 ? one : other).ask({ query: 'more', session_id })).status).toBe(200)
  }
  expect(await one.ask({ query: 'eleven', session_id })).toMatchObject({
    status: 429,
    json: { scope: 'session' },
  })
}

async function openShop(overrides: Parameters<typeof openBookshop>[0]): Promise<Bookshop & AsyncDisposable> {
  const shop = await openBookshop({ now: Date.now, ...overrides })
  return Object.assign(shop, { [Symbol.asyncDispose]: () => shop.close() })
}

async function statuses(shop: Bookshop, times: number): Promise<readonly number[]> {
  const seen: number[] = []
  for (let time = 0; time < times; time++) seen.push((await shop.ask({ query: `q${time}` })).status)
  return seen
}

function cached({ json }: Seen): unknown {
  return (json as { readonly meta: { readonly cached?: boolean } }).meta.cached ?? false
}

function canLoadDriverOf(adapter: string, driver: string): boolean {
  try {
    createRequire(createRequire(import.meta.url).resolve(adapter))(driver)
    return true
  } catch {
    return false
  }
}

function whyNot(isThere: boolean, what: string): string {
  return isThere ? '' : ` (skipped: no ${what} here)`
}
