import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { Keyv } from 'keyv'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createKeyvStore,
  createMemoryStore,
  syncEntities,
  type EntitySync,
  type SyncEvent,
  type SyncOptions,
  type SyncStore,
} from '../src/index.js'
import { createSqliteStore } from '../src/sqlite.js'
import { fetchFor } from './safe.js'
import { Site } from './site.js'

const opened: { close(): void }[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})

const STORES: [name: string, create: () => SyncStore][] = [
  ['memory', createMemoryStore],
  [
    'SQLite',
    () => {
      const store = createSqliteStore(':memory:')
      opened.push(store)
      return store
    },
  ],
  ['Keyv', () => createKeyvStore(new Keyv())],
]

function start(site: Site, store: SyncStore, options: Partial<SyncOptions> = {}): EntitySync {
  return syncEntities(site.origin, { fetch: fetchFor(site), store, onError: 'skip', ...options })
}

/** The events of a whole sync as short texts, and its summary. */
async function sync(site: Site, store: SyncStore, options: Partial<SyncOptions> = {}) {
  site.requests.length = 0
  const events: string[] = []
  const running = start(site, store, options)
  for await (const event of running) events.push(describeEvent(event))
  return { events, summary: running.summary }
}

function describeEvent(event: SyncEvent): string {
  if (event.kind === 'unchanged') return `unchanged ${event.count}`
  return `${event.kind} ${event.id}${event.replayed ? ' again' : ''}`
}

/** What a sync tells when it is aborted at its first event. */
async function untilAborted(running: EntitySync, controller: AbortController): Promise<string[]> {
  const events: string[] = []
  await expect(
    (async () => {
      for await (const event of running) {
        events.push(describeEvent(event))
        controller.abort('enough')
      }
    })(),
  ).rejects.toBe('enough')
  return events
}

/** What a mirror holds of a site. */
async function mirrorOf(site: Site, store: SyncStore): Promise<Record<string, unknown>> {
  const ids = Array.from(await store.listEntities(site.origin))
  return Object.fromEntries(
    await Promise.all(ids.map(async (id) => [id, (await store.readEntity(site.origin, id))?.data] as const)),
  )
}

function contentOf(site: Site): Record<string, unknown> {
  return Object.fromEntries(
    [...site.content].flatMap(([type, entities]) =>
      [...entities].map(([name, data]) => [`${type}:${name}`, data]),
    ),
  )
}

describe.each(STORES)('syncEntities into %s', (_, create) => {
  it('tells what was created, and then only what changed', async () => {
    await using site = await new Site({ counts: { post: 5, page: 2 }, pageSize: 2 }).start()
    const store = create()
    const first = await sync(site, store)
    expect(first.events).toEqual([...site.ids().map((id) => `created ${id}`), 'unchanged 0'])
    expect(first.summary).toMatchObject({ complete: true, created: 7, updated: 0, deleted: 0, unchanged: 0 })
    expect(await mirrorOf(site, store)).toEqual(contentOf(site))

    site.set('post', 'e1', { title: 'Changed' }, '2026-02-02T00:00:00Z')
    site.set('post', 'new', { title: 'New' })
    site.content.get('page')?.delete('e0')
    const second = await sync(site, store)
    expect(second.events).toEqual(['updated post:e1', 'created post:new', 'deleted page:e0', 'unchanged 5'])
    expect(site.paths().filter((path) => path.startsWith('/entity'))).toHaveLength(2)
    expect(await mirrorOf(site, store)).toEqual(contentOf(site))
  })

  it('fetches an entity again when only the date of its change has moved', async () => {
    await using site = await new Site({ counts: { post: 3 } }).start()
    const store = create()
    await sync(site, store)
    site.updatedAt.set('post:e1', '2026-03-03T00:00:00Z')
    expect((await sync(site, store)).events).toEqual(['updated post:e1', 'unchanged 2'])
  })

  it('of an unchanged site costs the manifest, the index and its pages, and no bodies but the manifest', async () => {
    await using site = await new Site({ counts: { post: 30 }, pageSize: 10 }).start()
    const store = create()
    await sync(site, store)
    const { events, summary } = await sync(site, store)
    expect(events).toEqual(['unchanged 30'])
    expect(site.paths()).toEqual([
      '/.well-known/ai-manifest.json',
      '/index.json',
      '/sitemap/post',
      '/sitemap/post?cursor=10',
      '/sitemap/post?cursor=20',
    ])
    expect(summary).toMatchObject({ requests: 5, notModified: 4, complete: true })
    expect(summary.bytes).toBeLessThan(2_000)
  })

  it('finds what was added after a full last page, with and without counts in the index', async () => {
    for (const announces of [true, false]) {
      await using site = await new Site({ counts: { post: 20 }, pageSize: 10, announces }).start()
      const store = create()
      await sync(site, store)
      site.set('post', 'late', { title: 'Late' })
      expect((await sync(site, store)).events).toEqual(['created post:late', 'unchanged 20'])
    }
  })

  it('tells again, marked, what was committed before its consumer went away', async () => {
    await using site = await new Site({ counts: { post: 5 } }).start()
    const store = create()
    const running = start(site, store)
    expect(describeEvent((await running.next()).value as SyncEvent)).toBe('created post:e0')
    await running.return()
    const { events } = await sync(site, store)
    expect(events.filter((event) => event.endsWith('again'))).toContain('created post:e0 again')
    const told = events
      .map((event) => event.replace(' again', ''))
      .filter((event) => event.startsWith('created'))
    expect(told.toSorted()).toEqual(site.ids().map((id) => `created ${id}`))
    expect((await sync(site, store)).events).toEqual(['unchanged 5'])
  })

  it('deletes nothing unless all lists were read', async () => {
    await using site = await new Site({ counts: { post: 4, page: 4 }, pageSize: 2 }).start()
    const store = create()
    await sync(site, store)
    site.content.get('page')?.delete('e1')
    site.answer('/sitemap/post?cursor=2', 500, '')
    const broken = await sync(site, store)
    expect(broken.events).toEqual([expect.stringMatching(/^unchanged/)])
    expect(broken.summary).toMatchObject({ complete: false, deleted: 0 })
    const budget = await sync(site, store, { maxPages: 1 })
    expect(budget.summary).toMatchObject({ partial: 'budget', deleted: 0 })
    site.faults.clear()
    expect((await sync(site, store)).events).toEqual(['deleted page:e1', 'unchanged 7'])
  })

  it('deletes only what it looks at', async () => {
    await using site = await new Site({ counts: { post: 2, page: 2 } }).start()
    const store = create()
    await sync(site, store)
    site.content.clear()
    expect((await sync(site, store, { types: ['page'] })).events).toEqual([
      'deleted page:e0',
      'deleted page:e1',
      'unchanged 0',
    ])
    expect((await sync(site, store)).events).toEqual(['deleted post:e0', 'deleted post:e1', 'unchanged 0'])
  })

  it('tries an entity again that could not be read, also when its page has not changed', async () => {
    await using site = await new Site({ counts: { post: 3 } }).start()
    const store = create()
    site.answer('/entity/post/e1', 500, '')
    const first = await sync(site, store)
    expect(first.events).toEqual(['created post:e0', 'created post:e2', 'unchanged 0'])
    expect(first.summary).toMatchObject({ complete: false, partial: 'errors' })
    site.faults.clear()
    expect((await sync(site, store)).events).toEqual(['created post:e1', 'unchanged 2'])
  })

  it('reads all lists anew after one could not be read, so that stale cursors heal', async () => {
    await using site = await new Site({ counts: { post: 4 }, pageSize: 2 }).start()
    let epoch = 1
    site.edit = (document, path) =>
      path === '/sitemap/post' ? { ...document, cursor: { next: `v${epoch}` } } : document
    const second = JSON.stringify(site.page('post', 2))
    site.answer('/sitemap/post?cursor=v1', 200, second)
    const store = create()
    await sync(site, store)
    site.answer('/sitemap/post?cursor=v1', 400, '')
    site.answer('/sitemap/post?cursor=v2', 200, second)
    epoch = 2
    expect((await sync(site, store)).summary).toMatchObject({ errors: 1, unchanged: 2 })
    expect((await sync(site, store)).summary).toMatchObject({ complete: true, unchanged: 4 })
  })

  it('deletes nothing of several sitemaps of one type when fewer entities may be fetched than they list', async () => {
    await using site = await new Site({ counts: { post: 8 }, pageSize: 2 }).start()
    site.edit = (document, path) => {
      if (path !== '/index.json') return document
      const urls = ['/sitemap/post', '/sitemap/post?cursor=4']
      const sitemaps = urls.map((url) => ({ type: 'post', url: site.origin + url }))
      return { ...document, sitemaps, checksum: checksumOf(sitemaps) }
    }
    const store = create()
    await sync(site, store)
    expect((await sync(site, store, { maxEntities: 1 })).events).toEqual(['unchanged 8'])
  })

  it('leaves the rest of a replay and of the deletions to the next sync after an abort', async () => {
    await using site = await new Site({ counts: { post: 102 } }).start()
    const store = create()
    await sync(site, store)
    const ids = site.ids()
    site.content.get('post')?.clear()
    const deleting = new AbortController()
    const told = await untilAborted(start(site, store, { signal: deleting.signal }), deleting)
    expect(told).toHaveLength(100)
    expect(Array.from(await store.listEntities(site.origin))).toHaveLength(2)

    const pending = ['a', 'b'].map((name) => ({ kind: 'deleted', id: `post:${name}` }) as const)
    await store.commit(site.origin, { pending })
    const replaying = new AbortController()
    expect(await untilAborted(start(site, store, { signal: replaying.signal }), replaying)).toEqual([
      'deleted post:a again',
    ])
    const { events } = await sync(site, store)
    expect(events.slice(0, 2)).toEqual(['deleted post:a again', 'deleted post:b again'])
    const deleted = [...told, ...events.slice(2, -1)]
    expect(deleted.toSorted()).toEqual(ids.map((id) => `deleted ${id}`).toSorted())
  })

  it('keeps sites apart', async () => {
    await using one = await new Site({ counts: { post: 2 } }).start()
    await using two = await new Site({ counts: { post: 1 } }).start()
    const store = create()
    await sync(one, store)
    await sync(two, store)
    expect((await sync(one, store)).events).toEqual(['unchanged 2'])
    expect((await sync(two, store)).events).toEqual(['unchanged 1'])
  })

  it('forgets lists that are gone', async () => {
    await using site = await new Site({ counts: { post: 4, page: 1 }, pageSize: 2 }).start()
    const store = create()
    await sync(site, store)
    site.content.delete('page')
    await sync(site, store)
    const urls = Array.from(await store.listDocuments(site.origin)).map((url) => url.replace(site.origin, ''))
    expect(urls.toSorted()).toEqual([
      '/.well-known/ai-manifest.json',
      '/index.json',
      '/sitemap/post',
      '/sitemap/post?cursor=2',
    ])
  })

  it('keeps hostile member names as data', async () => {
    await using site = await new Site({ counts: {} }).start()
    const data = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}') as Record<string, unknown>
    site.set('post', 'constructor', data)
    const store = create()
    expect((await sync(site, store)).events).toEqual(['created post:constructor', 'unchanged 0'])
    expect((await sync(site, store)).events).toEqual(['unchanged 1'])
    expect(JSON.stringify(await store.readEntity(site.origin, 'post:constructor'))).toContain(
      '"__proto__":{"polluted":1}',
    )
  })
})

describe('syncEntities', () => {
  it('fetches a document again that the store has spoilt', async () => {
    await using site = await new Site().start()
    const store = createMemoryStore()
    await sync(site, store)
    for (const url of Array.from(await store.listDocuments(site.origin))) {
      await store.commit(site.origin, {
        putDocuments: [{ url, text: '{"aadp_version":"1.0"}', etag: '"x"' }],
        pending: [],
      })
    }
    expect((await sync(site, store)).events).toEqual(['unchanged 3'])
    expect(site.requests.some(({ headers }) => 'if-none-match' in headers)).toBe(false)
  })

  it('asks conditionally whatever the response varies on (CC-01), and uses the copy when the 304 says less (CC-04)', async () => {
    await using site = await new Site().start()
    const index = JSON.stringify(site.index())
    site.fault('/index.json', (request, response) => {
      if (request.headers['if-none-match'] === '"a"') response.writeHead(304).end()
      else
        response
          .writeHead(200, { 'content-type': 'application/json', vary: 'Accept-Encoding', etag: '"a"' })
          .end(index)
    })
    const store = createMemoryStore()
    await sync(site, store)
    const { events } = await sync(site, store)
    expect(events).toEqual(['unchanged 3'])
    expect(site.requests[1]?.headers['if-none-match']).toBe('"a"')
  })

  it('takes new validators from a 304 (CC-03)', async () => {
    await using site = await new Site().start()
    const index = JSON.stringify(site.index())
    const tags: unknown[] = []
    site.fault('/index.json', (request, response) => {
      tags.push(request.headers['if-none-match'])
      if (tags.length === 1)
        response.writeHead(200, { 'content-type': 'application/json', etag: '"a"' }).end(index)
      else response.writeHead(304, { etag: `"${tags.length}"` }).end()
    })
    const store = createMemoryStore()
    for (let count = 0; count < 3; count++) await sync(site, store)
    expect(tags).toEqual([undefined, '"a"', '"2"'])
  })

  it('asks by date where there is no tag', async () => {
    await using site = await new Site().start()
    const index = JSON.stringify(site.index())
    const date = 'Fri, 02 Jan 2026 03:04:05 GMT'
    site.fault('/index.json', (request, response) => {
      if (request.headers['if-modified-since'] === date) response.writeHead(304).end()
      else response.writeHead(200, { 'content-type': 'application/json', 'last-modified': date }).end(index)
    })
    const store = createMemoryStore()
    await sync(site, store)
    expect((await sync(site, store)).summary).toMatchObject({ notModified: 2 })
  })

  it('never asks with HEAD, and never without a stored document conditionally (CC-06)', async () => {
    await using site = await new Site().start()
    await sync(site, createMemoryStore())
    expect(
      site.requests.some(({ headers }) => 'if-none-match' in headers || 'if-modified-since' in headers),
    ).toBe(false)
  })

  it('rejects with the reason of the signal, and goes on with the next sync', async () => {
    await using site = await new Site({ counts: { post: 50 } }).start()
    const controller = new AbortController()
    const store = createMemoryStore()
    const running = start(site, store, { signal: controller.signal, concurrency: 2 })
    const first = await running.next()
    controller.abort('enough')
    await expect(
      (async () => {
        for await (const _ of running);
      })(),
    ).rejects.toBe('enough')
    expect(running.summary).toMatchObject({ complete: false, partial: 'aborted' })
    expect(first.done).toBe(false)
    await sync(site, store)
    expect(await mirrorOf(site, store)).toEqual(contentOf(site))
  })

  it('ends at once when it is left while it waits, and deletes nothing', async () => {
    await using site = await new Site({ counts: { post: 3 } }).start()
    const store = createMemoryStore()
    await sync(site, store)
    site.content.get('post')?.delete('e1')
    site.fault('/sitemap/post', () => undefined)
    const running = start(site, store)
    const pending = running.next()
    while (!site.paths().includes('/sitemap/post')) await new Promise((resolve) => setTimeout(resolve, 5))
    await running.return()
    expect(await pending).toMatchObject({ done: true })
    expect(running.summary).toMatchObject({ complete: false, partial: 'stopped', deleted: 0 })
    expect(Array.from(await store.listEntities(site.origin))).toHaveLength(3)
    expect(site.open).toBe(0)
  })

  it('rejects with the reason of the signal when the store was closed as well', async () => {
    await using site = await new Site({ counts: { post: 20 } }).start()
    const store = createSqliteStore(':memory:')
    const controller = new AbortController()
    await expect(
      (async () => {
        for await (const _ of start(site, store, { signal: controller.signal, concurrency: 1 })) {
          controller.abort('enough')
          store.close()
        }
      })(),
    ).rejects.toBe('enough')
  })

  it('refuses a second sync of a site into one store until the first has ended', async () => {
    await using site = await new Site({ counts: { post: 3 } }).start()
    await using other = await new Site({ counts: { post: 1 } }).start()
    const store = createMemoryStore()
    const first = start(site, store)
    await first.next()
    await expect(sync(site, store)).rejects.toMatchObject({ code: 'sync_in_progress', url: site.origin })
    expect((await sync(other, store)).summary.created).toBe(1)
    expect((await sync(site, createMemoryStore())).summary.created).toBe(3)
    await first.return()
    expect((await sync(site, store)).summary).toMatchObject({ complete: true, deleted: 0 })
  })

  it('commits what came before an error that ends it', async () => {
    await using site = await new Site({ counts: { post: 10 } }).start()
    site.answer('/entity/post/e5', 500, '')
    const store = createMemoryStore()
    const running = start(site, store, { onError: 'throw' })
    await expect(
      (async () => {
        for await (const _ of running);
      })(),
    ).rejects.toMatchObject({ status: 500 })
    expect(Object.keys(await mirrorOf(site, store))).toEqual(site.ids().slice(0, 5))
  })
})

describe('a Keyv store', () => {
  it.each(['rejects', 'says false'])('that once %s loses no change', async (how) => {
    for (let failing = 1; failing < 14; failing++) {
      await using site = await new Site({ counts: { post: 3 } }).start()
      const keyv = new Keyv()
      let writes = 0
      const fails = (): boolean => ++writes === failing
      const refusal =
        how === 'rejects' ? () => Promise.reject(new Error('busy')) : () => Promise.resolve(false)
      const store = createKeyvStore({
        get: (key: string) => keyv.get(key),
        set: (key: string, value: unknown) => (fails() ? refusal() : keyv.set(key, value)),
        delete: (key: string) => keyv.delete(key),
      })
      const told: string[] = []
      for (let count = 0; count < 2; count++) {
        try {
          for await (const event of start(site, store)) told.push(describeEvent(event))
        } catch (error) {
          expect(String(error)).toMatch(/busy|did not keep/)
        }
      }
      const created = told
        .filter((event) => event.startsWith('created'))
        .map((event) => event.replace(' again', ''))
      expect(new Set(created), `write ${failing}`).toEqual(new Set(site.ids().map((id) => `created ${id}`)))
    }
  })

  it('finishes a commit that was cut short at any write', async () => {
    for (let writes = 1; writes < 14; writes++) {
      await using site = await new Site({ counts: { post: 3 } }).start()
      const keyv = new Keyv()
      let left = writes
      const dying = {
        get: (key: string) => keyv.get(key),
        set: (key: string, value: unknown) =>
          left-- > 0 ? keyv.set(key, value) : Promise.reject(new Error('killed')),
        delete: (key: string) => (left-- > 0 ? keyv.delete(key) : Promise.reject(new Error('killed'))),
      }
      await sync(site, createKeyvStore(dying)).catch(() => undefined)
      const store = createKeyvStore(keyv)
      await sync(site, store)
      expect(await mirrorOf(site, store)).toEqual(contentOf(site))
      const versions = await store.readVersions(site.origin, site.ids())
      expect(versions.size).toBe(3)
    }
  })
})
