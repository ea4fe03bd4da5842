import { describe, expect, it } from 'vitest'
import { discover, discoverAllEntities, fetchEntity, type ReadIssue } from '../src/index.js'
import { collect } from './collect.js'
import { fetchFor } from './safe.js'
import { Site } from './site.js'

/** Answers a path with a status some times, then as usual. */
function fail(
  site: Site,
  path: string,
  status: number,
  times: number,
  headers: Record<string, string> = {},
): void {
  let left = times
  site.fault(path, (request, response) => {
    if (--left === 0) site.faults.delete(path)
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end()
  })
}

describe('retries', () => {
  const retry = { baseDelayMs: 1 }

  it('are made only when asked for', async () => {
    await using site = await new Site().start()
    fail(site, '/entity/post/e0', 503, 1)
    const url = `${site.origin}/entity/post/e0`
    await expect(fetchEntity(url, { fetch: fetchFor(site) })).rejects.toMatchObject({ status: 503 })
    expect(site.requests).toHaveLength(1)
  })

  it.each([429, 502, 503, 504])('repeat a %s', async (status) => {
    await using site = await new Site().start()
    fail(site, '/entity/post/e0', status, 2)
    await fetchEntity(`${site.origin}/entity/post/e0`, { fetch: fetchFor(site), retry })
    expect(site.requests).toHaveLength(3)
  })

  it('repeat a cut connection, not a 500 nor a wrong document', async () => {
    await using site = await new Site().start()
    const url = `${site.origin}/entity/post/e0`
    const options = { fetch: fetchFor(site), retry }
    site.fault('/entity/post/e0', (request) => {
      site.faults.delete('/entity/post/e0')
      request.destroy()
    })
    await fetchEntity(url, options)
    expect(site.requests).toHaveLength(2)
    site.answer('/entity/post/e0', 500, '')
    await expect(fetchEntity(url, options)).rejects.toMatchObject({ status: 500 })
    site.answer('/entity/post/e0', 200, '[]')
    await expect(fetchEntity(url, options)).rejects.toMatchObject({ code: 'not_aadp' })
    expect(site.requests).toHaveLength(4)
  })

  it('end after their number, and count as requests', async () => {
    await using site = await new Site().start()
    site.answer('/entity/post/e0', 503, '')
    const url = `${site.origin}/entity/post/e0`
    const options = { fetch: fetchFor(site), retry: { maxAttempts: 4, baseDelayMs: 0 } }
    await expect(fetchEntity(url, options)).rejects.toMatchObject({ status: 503 })
    expect(site.requests).toHaveLength(4)
  })

  it.each(['9999999999', '99999999999999999999999', 'Wed, 21 Oct 2099 07:28:00 GMT'])(
    'are not made when the site asks for a wait of %s',
    async (value) => {
      await using site = await new Site().start()
      site.answer('/entity/post/e0', 429, '', { 'retry-after': value })
      const url = `${site.origin}/entity/post/e0`
      await expect(fetchEntity(url, { fetch: fetchFor(site), retry })).rejects.toMatchObject({ status: 429 })
      expect(site.requests).toHaveLength(1)
    },
  )
})

describe('a site that asks to wait', () => {
  it('is not asked again by anyone before that', async () => {
    await using site = await new Site({ counts: { post: 6 } }).start()
    fail(site, '/entity/post/e0', 429, 1, { 'retry-after': '1' })
    const times: number[] = []
    site.delayMs = () => {
      times.push(performance.now())
      return 0
    }
    const entities = discoverAllEntities(site.origin, { fetch: fetchFor(site), concurrency: 1, retry: {} })
    expect(await collect(entities)).toHaveLength(6)
    expect(times[4]! - times[3]!).toBeGreaterThanOrEqual(990)
  })

  it('for longer than the deadline ends the walk at once', async () => {
    await using site = await new Site({ counts: { post: 6 } }).start()
    fail(site, '/entity/post/e0', 503, 1, { 'retry-after': '3600' })
    const entities = discoverAllEntities(site.origin, {
      fetch: fetchFor(site),
      concurrency: 1,
      onError: 'skip',
    })
    expect(await collect(entities)).toEqual([])
    expect(entities.summary).toMatchObject({ partial: 'budget', limit: 'deadlineMs', errors: 1 })
    expect(site.requests).toHaveLength(4)
  })
})

describe('robots.txt', () => {
  const respectRobots = true

  it('is not asked for by default', async () => {
    await using site = await new Site().start()
    await discover(site.origin, { fetch: fetchFor(site) })
    expect(site.paths()).not.toContain('/robots.txt')
  })

  it('is asked for once and respected', async () => {
    await using site = await new Site().start()
    site.answer('/robots.txt', 200, 'User-agent: *\nDisallow: /entity/post/e1\n', {
      'content-type': 'text/plain',
    })
    const issues: ReadIssue[] = []
    const onError = (issue: ReadIssue): unknown => issues.push(issue)
    const entities = discoverAllEntities(site.origin, { fetch: fetchFor(site), respectRobots, onError })
    expect((await collect(entities)).map(({ id }) => id)).toEqual(['post:e0', 'post:e2'])
    expect(issues).toMatchObject([{ code: 'disallowed_by_robots', id: 'post:e1' }])
    expect(site.paths().filter((path) => path === '/robots.txt')).toHaveLength(1)
    expect(site.paths()).not.toContain('/entity/post/e1')
  })

  it('speaks to this client by its name', async () => {
    await using site = await new Site().start()
    site.answer('/robots.txt', 200, 'User-agent: my-reader\nDisallow: /\n')
    const options = { fetch: fetchFor(site), respectRobots }
    await discover(site.origin, options)
    const refused = discover(site.origin, { ...options, userAgent: 'my-reader/2.0 (+https://me.test)' })
    await expect(refused).rejects.toMatchObject({ code: 'disallowed_by_robots' })
  })

  it.each([
    [
      'missing',
      (site: Site) => {
        site.answer('/robots.txt', 404, '')
      },
      true,
    ],
    [
      'broken',
      (site: Site) => {
        site.answer('/robots.txt', 500, '')
      },
      false,
    ],
    [
      'unreachable',
      (site: Site) => {
        site.fault('/robots.txt', (request) => request.destroy())
      },
      false,
    ],
  ])('that is %s', async (_, prepare, allowed) => {
    await using site = await new Site().start()
    prepare(site)
    const discovered = discover(site.origin, { fetch: fetchFor(site), respectRobots })
    if (allowed) await discovered
    else await expect(discovered).rejects.toMatchObject({ code: 'disallowed_by_robots' })
  })
})
