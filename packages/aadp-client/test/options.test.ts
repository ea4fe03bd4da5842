import { describe, expect, it } from 'vitest'
import { resolveClientOptions } from '../src/options/client-options.js'
import { createDiscoveryBudget, discover, discoverAllEntities, fetchEntity } from '../src/index.js'
import { collect } from './collect.js'
import { fetchFor } from './safe.js'
import { Site } from './site.js'

/** The defaults that users of the existing implementation rely on. */
describe('defaults', () => {
  it('of everything that reads', () => {
    expect(resolveClientOptions({ retry: {} })).toMatchObject({
      timeoutMs: 10_000,
      maxRedirects: 5,
      maxResponseBytes: 2 * 1_024 * 1_024,
      headers: undefined,
      retry: { maxAttempts: 3, baseDelayMs: 500, maxDelayMs: 10_000 },
      respectRobots: false,
      maxConcurrencyPerOrigin: Infinity,
      minDelayPerOriginMs: 0,
    })
    expect(resolveClientOptions({}).retry.maxAttempts).toBe(1)
    expect(createDiscoveryBudget().limits).toEqual({
      maxPages: 10_000,
      maxEntities: 100_000,
      maxRequests: Infinity,
      maxTotalBytes: Infinity,
      deadlineMs: 300_000,
    })
  })

  it('of a walk: four requests in flight, in the order of the lists', async () => {
    await using site = await new Site({ counts: { post: 20 } }).start()
    site.delayMs = (path) => (path === '/entity/post/e0' ? 60 : path.startsWith('/entity') ? 5 : 0)
    const entities = await collect(discoverAllEntities(site.origin, { fetch: fetchFor(site) }))
    expect(entities.map(({ id }) => id)).toEqual(site.ids())
    expect(site.peak).toBe(4)
  })

  it.each([
    [1_000, undefined],
    [1_001, 'maxSitemaps'],
  ])('of a walk: an index of %d sitemaps', async (count, limit) => {
    const types = Array.from({ length: count }, (_, index) => [`type${index}`, 0] as const)
    await using site = await new Site({ counts: Object.fromEntries(types) }).start()
    const walk = collect(discoverAllEntities(site.origin, { fetch: fetchFor(site), types: ['type7'] }))
    if (limit === undefined) expect(await walk).toEqual([])
    else await expect(walk).rejects.toMatchObject({ code: 'budget_exceeded', limit })
  })
})

describe('options', () => {
  it.each([0, 1, 2])('maxRedirects %d is how many are followed, over any fetch', async (maxRedirects) => {
    await using site = await new Site().start()
    for (let step = 1; step <= 3; step++) {
      const location = step === 1 ? '/entity/post/e0' : `/r${step - 1}`
      site.answer(`/r${step}`, 301, '', { location })
    }
    for (const fetch of [fetchFor(site), globalThis.fetch]) {
      const path = maxRedirects === 0 ? '/entity/post/e0' : `/r${maxRedirects}`
      expect(await fetchEntity(site.origin + path, { fetch, maxRedirects })).toMatchObject({ id: 'post:e0' })
      await expect(
        fetchEntity(`${site.origin}/r${maxRedirects + 1}`, { fetch, maxRedirects }),
      ).rejects.toMatchObject({ code: 'too_many_redirects' })
    }
  })

  it('maxConcurrencyPerOrigin binds each origin', async () => {
    await using site = await new Site({ counts: { post: 20 } }).start()
    site.delayMs = () => 5
    const options = { fetch: fetchFor(site), concurrency: 8, maxConcurrencyPerOrigin: 2 }
    expect(await collect(discoverAllEntities(site.origin, options))).toHaveLength(20)
    expect(site.peak).toBe(2)
  })

  it('minDelayPerOriginMs lies between the starts of requests, by the clock given', async () => {
    await using site = await new Site({ counts: { post: 1 } }).start()
    let nowMs = 1_000
    const options = { fetch: fetchFor(site), minDelayPerOriginMs: 20, now: () => nowMs }
    const walk = collect(discoverAllEntities(site.origin, options))
    for (let requests = 1; requests <= 4; requests++) {
      await expect.poll(() => site.requests.length).toBe(requests)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(site.requests).toHaveLength(requests)
      nowMs += 20
    }
    expect(await walk).toHaveLength(1)
  })

  it.each([2, 3])('retry without members makes three attempts, of which %d fail', async (failing) => {
    await using site = await new Site().start()
    let left = failing
    site.fault('/.well-known/ai-manifest.json', (_request, response) => {
      if (--left === 0) site.faults.clear()
      response.writeHead(503).end()
    })
    const reading = discover(site.origin, { fetch: fetchFor(site), retry: {}, random: () => 0 })
    if (failing < 3) expect(await reading).toMatchObject({ aadp_version: '1.0' })
    else await expect(reading).rejects.toMatchObject({ status: 503 })
    expect(site.requests).toHaveLength(3)
  })
})
