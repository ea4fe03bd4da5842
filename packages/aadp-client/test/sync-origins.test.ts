import { hasRedis, startRedis } from '@internal/loopback'
import { describe, expect, it } from 'vitest'
import { createBullQueue, type BullQueue } from '../src/bullmq.js'
import { createMemoryStore, syncOrigins, type OriginEnd } from '../src/index.js'
import { fetchFor } from './safe.js'
import { Site } from './site.js'

describe('syncOrigins', () => {
  it('syncs many sites into one store, each once, and goes on when one fails', async () => {
    await using one = await new Site({ counts: { post: 2 } }).start()
    await using two = await new Site({ counts: { post: 3 } }).start()
    await using bad = await new Site().start()
    bad.answer('/.well-known/ai-manifest.json', 200, '{}')
    const store = createMemoryStore()
    const ends: OriginEnd[] = []
    const events: string[] = []
    await syncOrigins([one.origin, bad.origin, two.origin, `${one.origin}/again`], {
      store,
      fetch: fetchFor(one, two, bad),
      originConcurrency: 1,
      onEvent: (origin, { kind }) => events.push(`${kind} ${origin}`),
      onEnd: (end) => ends.push(end),
    })
    expect(ends).toMatchObject([
      { origin: one.origin, summary: { complete: true, created: 2 } },
      { origin: bad.origin, summary: { complete: false }, error: { code: 'not_aadp' } },
      { origin: two.origin, summary: { complete: true, created: 3 } },
    ])
    expect(events.filter((event) => event === `created ${two.origin}`)).toHaveLength(3)
    expect(Array.from(await store.listEntities(two.origin))).toEqual(two.ids())
  })

  it('lets no site hold up the others', async () => {
    const sites = await Promise.all(
      Array.from({ length: 4 }, () => new Site({ counts: { post: 2 } }).start()),
    )
    const [slow, ...others] = sites.map(({ origin }) => origin)
    const fetch = fetchFor(...sites)
    const ends: string[] = []
    let release: (() => void) | undefined
    const othersEnded = new Promise<void>((resolve) => (release = resolve))
    await syncOrigins([slow ?? '', ...others], {
      store: createMemoryStore(),
      originConcurrency: 2,
      fetch: async (url, init) => {
        if (url.startsWith(`${slow ?? ''}/`)) await othersEnded
        return fetch(url, init)
      },
      onEnd: ({ origin }) => {
        ends.push(origin)
        if (ends.length === others.length) release?.()
      },
    })
    expect(ends).toEqual([...others, slow])
    for (const site of sites) await site[Symbol.asyncDispose]()
  })

  it('ends when its signal aborts', async () => {
    await using site = await new Site({ counts: { post: 20 } }).start()
    const controller = new AbortController()
    const ends: OriginEnd[] = []
    await syncOrigins([site.origin, 'https://never.test'], {
      store: createMemoryStore(),
      fetch: fetchFor(site),
      originConcurrency: 1,
      signal: controller.signal,
      onEvent: () => {
        controller.abort('enough')
      },
      onEnd: (end) => ends.push(end),
    })
    expect(ends).toMatchObject([{ origin: site.origin, error: 'enough', summary: { partial: 'aborted' } }])
  })

  it.each([
    [['ftp://a.test'], {}],
    [['https://a.test'], { originConcurrency: 0 }],
    [['https://a.test'], { rate: { max: NaN, intervalMs: 1 } }],
    [['https://a.test'], { rate: { max: 1, intervalMs: -1 } }],
  ])('refuses %j with %j', async (origins, options) => {
    const refused = syncOrigins(origins, { store: createMemoryStore(), ...options })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_option' })
  })
})

describe.skipIf(!hasRedis)(`a queue in Redis${hasRedis ? '' : ' (skipped: no redis-server here)'}`, () => {
  it('shares origins between workers, each once', async () => {
    await using redis = await startRedis()
    const sites = await Promise.all(
      Array.from({ length: 6 }, () => new Site({ counts: { post: 2 } }).start()),
    )
    const controller = new AbortController()
    const ends: string[][] = [[], []]
    const queues: BullQueue[] = ends.map(() =>
      createBullQueue({ connection: { host: '127.0.0.1', port: redis.port } }),
    )
    const origins = sites.map(({ origin }) => origin)
    const workers = queues.map((queue, index) =>
      syncOrigins(index === 0 ? [...origins, ...origins] : [], {
        queue,
        store: createMemoryStore(),
        fetch: fetchFor(...sites),
        originConcurrency: 1,
        signal: controller.signal,
        onEnd: ({ origin, summary }) => {
          expect(summary).toMatchObject({ complete: true, created: 2 })
          ends[index]?.push(origin)
          if (ends.flat().length === sites.length) controller.abort()
        },
      }),
    )
    await Promise.all(workers)
    expect(ends.flat().toSorted()).toEqual(origins.toSorted())
    for (const queue of queues) await queue.close()
    for (const site of sites) await site[Symbol.asyncDispose]()
  })

  it('keeps to a rate', async () => {
    await using redis = await startRedis()
    await using site = await new Site({ counts: { post: 1 } }).start()
    await using other = await new Site({ counts: { post: 1 } }).start()
    const queue = createBullQueue({ connection: { host: '127.0.0.1', port: redis.port } })
    const controller = new AbortController()
    const ends: string[] = []
    await syncOrigins([site.origin, other.origin], {
      queue,
      store: createMemoryStore(),
      fetch: fetchFor(site, other),
      rate: { max: 1, intervalMs: 60_000 },
      signal: controller.signal,
      onEnd: ({ origin }) => {
        ends.push(origin)
        setTimeout(() => {
          controller.abort()
        }, 300)
      },
    })
    expect(ends).toEqual([site.origin])
    expect(other.requests).toEqual([])
    await queue.close()
  })
})
