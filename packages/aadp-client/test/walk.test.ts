import { gzipSync } from 'node:zlib'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { describe, expect, it } from 'vitest'
import {
  discoverAllEntities,
  type DiscoverAllEntitiesOptions,
  type FetchLike,
  type ReadIssue,
} from '../src/index.js'
import { fetchFor } from './safe.js'
import { Site } from './site.js'

/** What a walk yields before it ends, its error, and its issues. */
async function walk(site: Site, options: DiscoverAllEntitiesOptions = {}) {
  const issues: ReadIssue[] = []
  const entities = discoverAllEntities(site.origin, {
    fetch: fetchFor(site),
    onError: (issue) => issues.push(issue),
    ...options,
  })
  const ids: string[] = []
  let error: unknown
  try {
    for await (const { id } of entities) ids.push(id)
  } catch (thrown) {
    error = thrown
  }
  return { ids, error, issues, codes: issues.map(({ code }) => code), summary: entities.summary }
}

describe('discoverAllEntities', () => {
  it('yields every entity in the order of the lists, with a summary', async () => {
    await using site = await new Site({ counts: { post: 25, page: 7 }, pageSize: 10 }).start()
    const { ids, summary, issues } = await walk(site, { concurrency: 8 })
    expect(ids).toEqual(site.ids())
    expect(issues).toEqual([])
    expect(summary).toMatchObject({
      complete: true,
      pages: 4,
      entities: 32,
      requests: 38,
      errors: 0,
      warnings: 0,
    })
    expect(summary.bytes).toBeGreaterThan(0)
  })

  it('yields every entity as it arrives', async () => {
    await using site = await new Site({ counts: { post: 25, page: 7 }, pageSize: 10 }).start()
    const { ids } = await walk(site, { concurrency: 8, ordered: false })
    expect(ids.toSorted()).toEqual(site.ids().toSorted())
  })

  it('returns the summary at the end of the iteration', async () => {
    await using site = await new Site({ counts: {} }).start()
    const entities = discoverAllEntities(site.origin, { fetch: fetchFor(site) })
    expect(entities.summary).toMatchObject({ complete: false, partial: 'running' })
    expect(await entities.next()).toMatchObject({ done: true, value: { complete: true, requests: 2 } })
  })

  it.each([true, false])('keeps to its concurrency, ordered %s (CR-06)', async (ordered) => {
    await using site = await new Site({ counts: { post: 200 } }).start()
    site.delayMs = () => 1
    expect((await walk(site, { concurrency: 4, ordered })).ids).toHaveLength(200)
    expect(site.peak).toBe(4)
  })

  it('finishes with concurrency 1 (CR-08)', async () => {
    await using site = await new Site({ counts: { post: 30, page: 3 }, pageSize: 5 }).start()
    expect((await walk(site, { concurrency: 1 })).ids).toEqual(site.ids())
    expect(site.peak).toBe(1)
  })

  it('works on all sitemaps together', async () => {
    const counts = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, 1]))
    await using site = await new Site({ counts }).start()
    site.delayMs = (path) => (path.startsWith('/sitemap') ? 50 : 0)
    expect((await walk(site, { concurrency: 10 })).ids).toEqual(site.ids())
    expect(site.peak).toBe(10)
  })

  it.each([0, 4, 8])(
    'reads %s entities in pages of 4 without asking for a page too many (PG-06)',
    async (count) => {
      await using site = await new Site({ counts: { post: count }, pageSize: 4 }).start()
      expect((await walk(site)).ids).toHaveLength(count)
      expect(site.paths().filter((path) => path.startsWith('/sitemap'))).toHaveLength(Math.max(1, count / 4))
    },
  )

  it('names the types that there are when one is asked for that there is not', async () => {
    await using site = await new Site({ counts: { post: 1, page: 2 } }).start()
    const { ids, summary } = await walk(site, { types: ['events', 'page', 'events'] })
    expect(ids).toHaveLength(2)
    expect(summary).toMatchObject({ complete: true, errors: 0, warnings: 1 })
    expect(summary.issues).toEqual([
      {
        level: 'warning',
        code: 'unknown_type',
        message: 'The index lists no type "events"; it lists post, page',
        document: 'sitemap-index',
        url: `${site.origin}/index.json`,
      },
    ])
  })

  it('reads only the types asked for', async () => {
    await using site = await new Site({ counts: { post: 2, page: 2 } }).start()
    expect((await walk(site, { types: ['page'] })).ids).toEqual(['page:e0', 'page:e1'])
    expect(site.paths()).not.toContain('/sitemap/post')
  })

  it('treats all spellings of an origin as one (CR-10)', async () => {
    await using site = await new Site().start()
    const options = { fetch: fetchFor(site) }
    for (const origin of [
      site.origin,
      `${site.origin}/`,
      site.origin.replace('http', 'HTTP'),
      `${site.origin}/x?y#z`,
    ]) {
      await discoverAllEntities(origin, options).next()
    }
    expect(
      new Set(site.requests.map(({ path }) => path).filter((path) => path.includes('well-known'))).size,
    ).toBe(1)
  })
})

describe('an error that ends a walk', () => {
  it.each([true, false])('is reported once, of its own document, ordered %s', async (ordered) => {
    await using site = await new Site({ counts: { post: 20, page: 20 } }).start()
    const unanswered = ['/entity/post/e2', '/entity/post/e3', '/sitemap/page']
    for (const path of unanswered) site.fault(path, () => undefined)
    site.fault('/entity/post/e1', async (_, response) => {
      while (!unanswered.every((path) => site.paths().includes(path))) await new Promise(setImmediate)
      response.writeHead(500).end()
    })
    const issues: ReadIssue[] = []
    const { error, summary } = await walk(site, {
      ordered,
      concurrency: 8,
      onError: (issue) => {
        issues.push(issue)
        return 'throw'
      },
    })
    expect(error).toMatchObject({ code: 'http_status' })
    expect(issues.map(({ document, id }) => [document, id])).toEqual([['entity', 'post:e1']])
    expect(summary).toMatchObject({ errors: 1, partial: 'failed' })
  })
})

describe('a bad document', () => {
  const FAULTS: [name: string, code: string, fault: (site: Site) => void][] = [
    [
      'status 500',
      'http_status',
      (site) => {
        site.answer('/entity/post/e5', 500, '<h1>', { 'content-type': 'text/html' })
      },
    ],
    [
      'a lying checksum',
      'checksum_mismatch',
      (site) => {
        site.edit = (document, path) =>
          path === '/entity/post/e5' ? { ...document, data: { other: true } } : document
      },
    ],
    [
      'another entity',
      'integrity_mismatch',
      (site) => {
        site.answer('/entity/post/e5', 200, JSON.stringify(site.entity('post', 'e6')))
      },
    ],
    [
      'HTML',
      'invalid_content_type',
      (site) => {
        site.answer('/entity/post/e5', 200, '<h1>', { 'content-type': 'text/html' })
      },
    ],
    [
      'too many bytes',
      'response_too_large',
      (site) => {
        site.answer('/entity/post/e5', 200, 'x'.repeat(3_000_000))
      },
    ],
    [
      'a gzip bomb',
      'response_too_large',
      (site) => {
        site.answer('/entity/post/e5', 200, gzipSync(Buffer.alloc(50_000_000)), {
          'content-encoding': 'gzip',
        })
      },
    ],
    [
      'a redirect loop',
      'too_many_redirects',
      (site) => {
        site.answer('/entity/post/e5', 302, '', { location: '/entity/post/e5' })
      },
    ],
    [
      'a cut connection',
      'network_error',
      (site) => {
        site.fault('/entity/post/e5', (request) => request.destroy())
      },
    ],
    [
      'a URL that is none of the web',
      'blocked_url',
      (site) => {
        editItem(site, { url: 'javascript:alert(1)' })
      },
    ],
    [
      'a foreign namespace',
      'integrity_mismatch',
      (site) => {
        editItem(site, { id: 'page:e5' })
      },
    ],
  ]

  it.each(FAULTS)('with %s is left out when asked to, and reported', async (_, code, fault) => {
    await using site = await new Site({ counts: { post: 20 } }).start()
    fault(site)
    const { ids, issues, summary, error } = await walk(site)
    expect(error).toBeUndefined()
    expect(ids).toEqual(site.ids().filter((id) => id !== 'post:e5'))
    expect(issues[0]).toMatchObject({
      level: 'error',
      code,
      id: expect.stringMatching(/:e5$/) as string,
      url: expect.any(String) as string,
    })
    expect(summary).toMatchObject({ complete: false, partial: 'errors', errors: 1, entities: 19 })
  })

  it.each(FAULTS)('with %s ends an ordered walk after what comes before it', async (_, code, fault) => {
    await using site = await new Site({ counts: { post: 20 } }).start()
    fault(site)
    const { ids, error, summary } = await walk(site, { onError: 'throw' })
    expect(error).toMatchObject({ code })
    // A foreign id is found when the page is read, before any of its entities.
    const expected = site.ids().slice(0, 5)
    expect(expected.slice(0, ids.length)).toEqual(ids)
    expect(summary).toMatchObject({ complete: false, partial: 'failed' })
  })

  it('names the broken rule, and the status', async () => {
    await using site = await new Site().start()
    site.edit = (document, path) => (path === '/entity/post/e0' ? { ...document, locale: 'x' } : document)
    site.answer('/entity/post/e1', 404, '')
    const { issues } = await walk(site)
    expect(issues).toMatchObject([
      {
        code: 'schema_invalid',
        rule: expect.stringMatching(/^AADP1-ENT-\d{3}$/) as string,
        document: 'entity',
      },
      { code: 'http_status', status: 404 },
    ])
  })

  it('among pages ends only its sitemap', async () => {
    await using site = await new Site({ counts: { post: 30, page: 3 }, pageSize: 10 }).start()
    site.answer('/sitemap/post?cursor=10', 500, '')
    const { ids, issues } = await walk(site)
    expect(ids).toEqual([...site.ids().slice(0, 10), 'page:e0', 'page:e1', 'page:e2'])
    expect(issues).toMatchObject([
      { code: 'http_status', document: 'sitemap', url: `${site.origin}/sitemap/post?cursor=10` },
    ])
  })

  it('ends the walk when a function says so', async () => {
    await using site = await new Site().start()
    site.answer('/entity/post/e1', 500, '')
    const { ids, error } = await walk(site, { onError: () => 'throw' })
    expect(ids).toEqual(['post:e0'])
    expect(error).toMatchObject({ code: 'http_status', status: 500 })
  })

  it.each([true, false])(
    'ends the walk when a function answers with a promise (ordered: %s)',
    async (ordered) => {
      await using site = await new Site({ counts: { post: 3 } }).start()
      site.answer('/entity/post/e1', 500, '')
      const issues: ReadIssue[] = []
      // A rejection that nobody handles fails the run of the tests.
      const onError = (issue: ReadIssue): Promise<never> => {
        issues.push(issue)
        return Promise.reject(new Error('The log is full.'))
      }
      const { error, summary } = await walk(site, { onError, ordered })
      expect(error).toMatchObject({ code: 'invalid_option', option: 'onError' })
      expect(summary).toMatchObject({ complete: false, partial: 'failed' })
      expect(issues).toHaveLength(1)
    },
  )

  it('at the root always ends the walk', async () => {
    await using site = await new Site().start()
    site.answer('/index.json', 500, '')
    expect((await walk(site, { onError: 'skip' })).error).toMatchObject({ code: 'http_status' })
  })
})

describe('lists that do not agree', () => {
  it('give each entity once, and a report of repetitions and missing ones (CR-11)', async () => {
    await using site = await new Site({ counts: { post: 10 }, pageSize: 5 }).start()
    const first = site.page('post', 0)
    site.fault('/sitemap/post?cursor=5', (_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...first, cursor: { next: null } }))
    })
    const { ids, codes, summary } = await walk(site)
    expect(ids).toEqual(site.ids().slice(0, 5))
    expect(codes).toEqual([...Array<string>(5).fill('duplicate_item'), 'count_mismatch'])
    expect(summary).toMatchObject({ complete: true, warnings: 6 })
  })

  it.each([2_951, 1e9])('take a count of %s for a hint (CR-12)', async (count) => {
    await using site = await new Site().start()
    announce(site, count)
    const { ids, codes } = await walk(site)
    expect(ids).toHaveLength(3)
    expect(codes).toEqual(['count_mismatch'])
  })

  it('refuse an index with a negative count (CR-12)', async () => {
    await using site = await new Site().start()
    announce(site, -1)
    expect((await walk(site)).error).toMatchObject({ code: 'schema_invalid', kind: 'sitemap-index' })
  })

  it('read a sitemap once however it is written, and others that only look alike (CR-03)', async () => {
    await using site = await new Site({ announces: false }).start()
    const page = JSON.stringify(site.page('post', 0))
    for (const path of ['/s1', '/S1', '/s1?']) site.answer(path, 200, page)
    listSitemaps(
      site,
      ['/s1', '/s1', '/s1#x', '/S1', '/s1?'].map((path) => ({ type: 'post', url: site.origin + path })),
    )
    const { ids, codes } = await walk(site)
    expect(ids).toEqual(site.ids())
    // On the wire an empty query is left out, so two of these look alike.
    expect(site.paths().filter((path) => /^\/s1/i.test(path))).toHaveLength(3)
    expect(codes.filter((code) => code === 'duplicate_sitemap')).toHaveLength(2)
    expect(codes.filter((code) => code === 'duplicate_item')).toHaveLength(6)
  })

  it('find a sitemap that leads back to the index (CR-02)', async () => {
    await using site = await new Site({ counts: { post: 2, page: 1 } }).start()
    site.answer('/sitemap/post', 301, '', { location: '/index.json' })
    const { ids, issues } = await walk(site)
    expect(ids).toEqual(['page:e0'])
    expect(issues).toMatchObject([{ code: 'document_loop', document: 'sitemap' }])
  })

  it.each([
    ['s1', 's2'],
    ['s2', 's1'],
  ])('fetch an entity once, in its newest state, and report the conflict (CR-13)', async (...order) => {
    await using site = await new Site({ announces: false }).start()
    const page = (updatedAt: string, path: string): void => {
      const item = {
        ...site.item('post', 'e0'),
        updated_at: updatedAt,
        url: `${site.origin}/entity/post/e0?${path}`,
      }
      site.answer(`/${path}`, 200, JSON.stringify(withItems(site, [item])))
      site.answer(`/entity/post/e0?${path}`, 200, JSON.stringify(site.entity('post', 'e0')))
    }
    page('2026-01-01T00:00:00Z', 's1')
    page('2026-01-02T00:00:00Z', 's2')
    listSitemaps(
      site,
      order.map((path) => ({ type: 'post', url: `${site.origin}/${path}` })),
    )
    const { ids, codes } = await walk(site)
    expect(ids).toEqual(['post:e0'])
    expect(codes).toEqual(['conflicting_item'])
    expect(site.paths().filter((path) => path.startsWith('/entity'))).toEqual(['/entity/post/e0?s2'])
  })

  it.each([
    ['comes back (PG-01)', ['a', 'a'], 'cursor_cycle', 2],
    ['comes back after another (PG-02)', ['a', 'b', 'a'], 'cursor_cycle', 3],
    ['is empty (PG-04)', [''], 'invalid_cursor', 1],
  ])('end a sitemap whose cursor %s, earlier items kept', async (_, cursors, code, pages) => {
    await using site = await new Site({ counts: { post: 9 }, pageSize: 2 }).start()
    let next = 0
    site.edit = (document, path) =>
      path.startsWith('/sitemap') ? { ...document, cursor: { next: cursors[next++] } } : document
    for (const onError of ['throw', 'skip'] as const) {
      next = 0
      site.requests.length = 0
      const { ids, error, summary } = await walk(site, { onError })
      expect(ids).toHaveLength(2)
      expect(summary.issues.map((issue) => issue.code)).toContain(code)
      if (onError === 'throw') expect(error).toMatchObject({ code })
      expect(site.paths().filter((path) => path.startsWith('/sitemap'))).toHaveLength(pages)
    }
  })
})

describe('budgets', () => {
  it.each([
    ['maxEntities', 10, 10],
    ['maxPages', 2, 20],
    ['maxRequests', 13, 10],
  ] as const)('%s ends the walk, after what was begun is delivered', async (limit, value, delivered) => {
    for (const ordered of [true, false]) {
      await using site = await new Site({ counts: { post: 50 }, pageSize: 10 }).start()
      const thrown = await walk(site, { [limit]: value, onError: 'throw', ordered, concurrency: 1 })
      expect(thrown.error).toMatchObject({ code: 'budget_exceeded', limit, allowed: value })
      expect(thrown.ids).toHaveLength(delivered)
      const skipped = await walk(site, { [limit]: value, onError: 'skip', ordered })
      expect(skipped.error).toBeUndefined()
      expect(skipped.summary).toMatchObject({ complete: false, partial: 'budget', limit })
    }
  })

  it('end cursors that are ever new, also without items (PG-12)', async () => {
    await using site = await new Site({ counts: { post: 1 }, announces: false }).start()
    let next = 0
    site.edit = (document, path) =>
      path.startsWith('/sitemap') ? { ...withItems(site, []), cursor: { next: `c${next++}` } } : document
    const { summary } = await walk(site, { maxPages: 30, onError: 'skip' })
    expect(summary).toMatchObject({ pages: 30, partial: 'budget', limit: 'maxPages' })
  })

  it('the deadline binds requests in flight', async () => {
    await using site = await new Site().start()
    site.fault('/entity/post/e1', () => undefined)
    const { ids, summary } = await walk(site, { deadlineMs: 300, onError: 'skip' })
    expect(ids).toContain('post:e0')
    expect(summary).toMatchObject({ partial: 'budget', limit: 'deadlineMs' })
  })

  it('the bytes bind a response in flight', async () => {
    await using site = await new Site().start()
    site.answer('/entity/post/e0', 200, 'x'.repeat(1_000_000))
    const { summary } = await walk(site, { maxTotalBytes: 20_000, onError: 'skip' })
    expect(summary).toMatchObject({ partial: 'budget', limit: 'maxTotalBytes' })
    expect(summary.bytes).toBeLessThanOrEqual(20_000)
  })

  it.each(['safe-fetch', 'another fetch'])(
    'the bytes bind all responses in flight together, over %s',
    async (name) => {
      await using site = await new Site({ counts: { post: 32 } }).start()
      for (let index = 0; index < 32; index++) site.answer(`/entity/post/e${index}`, 200, 'x'.repeat(400_000))
      const safe = fetchFor(site)
      const fetch: FetchLike = name === 'safe-fetch' ? safe : (input, init) => safe(input, init)
      const { summary } = await walk(site, {
        fetch,
        maxTotalBytes: 500_000,
        onError: 'skip',
        concurrency: 32,
      })
      expect(summary).toMatchObject({ partial: 'budget', limit: 'maxTotalBytes' })
      // Of each, at most the piece that goes beyond the limit.
      expect(summary.bytes).toBeLessThan(500_000 + 32 * 65_537)
    },
  )

  it.each(['safe-fetch', 'another fetch'])(
    'responses that fail have cost their bytes too, over %s',
    async (name) => {
      await using site = await new Site({ counts: { post: 32 } }).start()
      for (let index = 0; index < 32; index++)
        site.fault(`/entity/post/e${index}`, (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.write('x'.repeat(40_000))
          response.end('x'.repeat(40_000))
        })
      const safe = fetchFor(site)
      const fetch: FetchLike = name === 'safe-fetch' ? safe : (input, init) => safe(input, init)
      const limits = { maxResponseBytes: 50_000, maxTotalBytes: 300_000 }
      const { summary } = await walk(site, { fetch, ...limits, onError: 'skip' })
      expect(summary).toMatchObject({ partial: 'budget', limit: 'maxTotalBytes' })
      expect(summary.requests).toBeLessThan(20)
    },
  )

  it('a limit of its own stays the reason, also when bytes are counted', async () => {
    await using site = await new Site().start()
    site.answer('/.well-known/ai-manifest.json', 200, ' '.repeat(300_000))
    expect((await walk(site, { maxTotalBytes: 1_000_000 })).error).toMatchObject({
      code: 'response_too_large',
    })
  })

  it('the sitemaps are counted before any is read', async () => {
    await using site = await new Site({ counts: { post: 1, page: 1 } }).start()
    expect((await walk(site, { maxSitemaps: 1, onError: 'throw' })).error).toMatchObject({
      limit: 'maxSitemaps',
    })
    expect(site.requests).toHaveLength(2)
  })
})

describe('stopping', () => {
  it('by leaving the loop cancels what is in flight, and starts nothing more (CR-14)', async () => {
    await using site = await new Site({ counts: { post: 100 } }).start()
    const fetch = fetchFor(site)
    const entities = discoverAllEntities(site.origin, { fetch, concurrency: 8 })
    let seen = 0
    site.delayMs = (path) => (Number(path.split('/e')[2]) > 10 ? 60_000 : 0)
    for await (const _ of entities) if (++seen === 3) break
    const started = site.requests.length
    expect(entities.summary).toMatchObject({ complete: false, partial: 'stopped' })
    await closed(site)
    expect(site.requests).toHaveLength(started)
    expect(await entities.next()).toMatchObject({ done: true })
  })

  it('by the signal ends with its reason (CR-14)', async () => {
    await using site = await new Site({ counts: { post: 100 } }).start()
    site.delayMs = (path) => (Number(path.split('/e')[2]) > 10 ? 60_000 : 0)
    const controller = new AbortController()
    const reason = new Error('enough')
    const entities = discoverAllEntities(site.origin, {
      fetch: fetchFor(site),
      signal: controller.signal,
      onError: 'skip',
    })
    await entities.next()
    controller.abort(reason)
    await expect(entities.next()).rejects.toBe(reason)
    expect(entities.summary).toMatchObject({ complete: false, partial: 'aborted' })
    await closed(site)
  })

  it.each([true, false])('by an error cancels what is in flight, ordered %s', async (ordered) => {
    await using site = await new Site({ counts: { post: 100 } }).start()
    site.delayMs = (path) => (path.startsWith('/entity') && path !== '/entity/post/e0' ? 60_000 : 0)
    site.answer('/entity/post/e0', 500, '')
    const { error } = await walk(site, { onError: 'throw', ordered, concurrency: 8 })
    expect(error).toMatchObject({ code: 'http_status', status: 500 })
    const started = site.requests.length
    await closed(site)
    expect(site.requests).toHaveLength(started)
  })

  it('before it began makes no request', async () => {
    await using site = await new Site().start()
    const entities = discoverAllEntities(site.origin, {
      fetch: fetchFor(site),
      signal: AbortSignal.abort('no'),
    })
    await expect(entities.next()).rejects.toBe('no')
    expect(site.requests).toEqual([])
  })
})

async function closed(site: Site): Promise<void> {
  while (site.open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

function withItems(site: Site, items: readonly unknown[]): Record<string, unknown> {
  return { ...site.page('post', 0), items, checksum: checksumOf(items), cursor: { next: null } }
}

function editItem(site: Site, change: Record<string, unknown>): void {
  site.edit = (document, path) => {
    if (path !== '/sitemap/post') return document
    const items = (document['items'] as Record<string, unknown>[]).map((item, index) =>
      index === 5 ? { ...item, ...change } : item,
    )
    return { ...document, items, checksum: checksumOf(items) }
  }
}

function listSitemaps(site: Site, sitemaps: readonly unknown[]): void {
  site.edit = (document, path) =>
    path === '/index.json' ? { ...document, sitemaps, checksum: checksumOf(sitemaps) } : document
}

function announce(site: Site, count: number): void {
  listSitemaps(site, [{ type: 'post', url: `${site.origin}/sitemap/post`, count }])
}
