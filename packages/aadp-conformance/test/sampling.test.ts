import type { RequestListener } from 'node:http'
import { startServer, type LoopbackServer } from '@internal/loopback'
import type { ConformanceReport } from '@doorplate/conformance-kit'
import { afterEach, describe, expect, it } from 'vitest'
import { runConformance, type RunConformanceOptions } from '../src/index.js'
import { replaceInUrl } from '../src/site/error-probes.js'
import { createGoodSite, type Fault } from './good-site.js'

let server: LoopbackServer | undefined
afterEach(() => server?.close())

async function check(fault: Fault, options: RunConformanceOptions = {}): Promise<ConformanceReport> {
  let listener: RequestListener = () => undefined
  await server?.close()
  server = await startServer((incoming, outgoing) => {
    listener(incoming, outgoing)
  })
  listener = createGoodSite(server.origin, '1.0', fault)
  return runConformance(server.origin, { allowPrivateNetwork: true, ...options })
}

const manyBooks: Fault = {
  content: ({ book }) => {
    for (let index = 0; index < 60; index++) {
      book!.push({ id: `book:b${index}`, updatedAt: '2026-02-01T00:00:00Z', data: { en: 'x', de: 'y' } })
    }
  },
}

/** The names of the entities that a run reads before it does anything else with them. */
async function sampled(options: RunConformanceOptions): Promise<readonly string[]> {
  const names: string[] = []
  const onRequest: RunConformanceOptions['onRequest'] = ({ url }) => {
    const name = /\/entities\/(.*)\.json$/.exec(url)?.[1]
    if (name !== undefined) names.push(name)
  }
  const size = typeof options.entities === 'number' ? options.entities : Infinity
  await check(manyBooks, { ...options, onRequest, only: ['traversal.entity'] })
  return names.sort().slice(0, size)
}

describe('the sample of entities', () => {
  it('depends on the seed and on nothing else', async () => {
    const first = await sampled({ entities: 20, seed: 7 })
    expect(await sampled({ entities: 20, seed: 7 })).toEqual(first)
    expect(await sampled({ entities: 20, seed: 8 })).not.toEqual(first)
    expect(first).toHaveLength(20)
  })

  it('has both ends of every sitemap', async () => {
    expect(await sampled({ entities: 6, seed: 7 })).toEqual(
      expect.arrayContaining(['book/dune', 'book/b59', 'author/joyce', 'author/austen']),
    )
  })

  it('is everything when all are asked for', async () => {
    expect(await sampled({ entities: 'all' })).toHaveLength(71)
  })

  it('is said in the report, with its seed', async () => {
    const report = await check(manyBooks, { entities: 10 })
    expect(report.checks.find(({ id }) => id === 'traversal.entity')?.message).toBe('10 of 71 entities')
    expect(report.settings).toMatchObject({ entities: 10 })
    expect(report.settings['seed']).toEqual(expect.any(Number))
  })

  it('that is cut short by a limit leaves the check open', async () => {
    const report = await check(manyBooks, { entities: 'all', maxEntities: 30 })
    const result = report.checks.find(({ id }) => id === 'traversal.entity')
    expect(result).toMatchObject({ status: 'inconclusive', message: 'The run has used up its 30 entities.' })
  })
})

describe('probes that were derived', () => {
  const statusOf = (report: ConformanceReport, id: string): unknown =>
    report.checks.find((result) => result.id === id)?.status

  it('pass on a site that does it right', async () => {
    const report = await check({})
    expect(statusOf(report, 'errors.not_found')).toBe('passed')
    expect(statusOf(report, 'errors.unsupported_type')).toBe('passed')
  })

  it('warn and never fail', async () => {
    const report = await check({
      reply: (reply) => {
        if (reply.status === 404) reply.body = '{"error":{"code":"odd","message":"No.","request_id":"r"}}'
      },
    })
    expect(statusOf(report, 'errors.not_found')).toBe('warning')
    expect(statusOf(report, 'errors.unsupported_type')).toBe('warning')
    expect(report.summary.failed).toBe(0)
  })

  it('are not made where the URL does not show the name; then the check stays open', async () => {
    const report = await check({
      answer: (request) => {
        request.url.pathname = request.url.pathname.replace('/e/', '/entities/book/').replace('/opaque-', '/')
        return undefined
      },
      document: (document) => {
        const items = document.items as { url: string }[] | undefined
        for (const item of items ?? []) item.url = item.url.replace('/entities/book/', '/e/opaque-')
      },
    })
    expect(statusOf(report, 'errors.invalid_id')).not.toBe('passed')
  })

  it.each([
    ['https://a.test/entities/book/dune.json', 'https://a.test/entities/book/none.json'],
    ['https://a.test/dune/dune', 'https://a.test/dune/none'],
    ['https://a.test/entity?id=dune&x=1', 'https://a.test/entity?id=none&x=1'],
    ['https://a.test/e/81f2', undefined],
    ['https://a.test/dunes.json', undefined],
    ['no url', undefined],
  ])('from %s give %s', (url, expected) => {
    expect(replaceInUrl(url, 'dune', 'none')).toBe(expected)
  })
})

describe('a site that holds back', () => {
  const statusOf = (report: ConformanceReport, id: string): unknown =>
    report.checks.find((result) => result.id === id)?.status

  it('because it is asked too often is inconclusive, not broken', async () => {
    let requests = 0
    const report = await check({
      answer: () =>
        requests++ < 15 ? undefined : { status: 429, headers: { 'retry-after': '60' }, body: '' },
    })
    expect(report).toMatchObject({ status: 'inconclusive', summary: { failed: 0 } })
    expect(report.checks.find(({ status }) => status === 'inconclusive')?.message).toContain('status 429')
  })

  it('what is protected is inconclusive without a credential and judged with one', async () => {
    const fault: Fault = {
      answer: ({ url, headers }) => {
        if (!url.pathname.includes('/entities/author') || headers['x-key'] === 'k') return undefined
        return { status: 401, headers: { 'www-authenticate': 'ApiKey' }, body: '' }
      },
    }
    const without = await check(fault)
    expect(statusOf(without, 'traversal.entity')).toBe('inconclusive')
    expect(without).toMatchObject({ status: 'inconclusive', summary: { failed: 0 } })
    expect((await check(fault, { headers: { 'X-Key': 'k' } })).status).toBe('passed')
  })

  it('what is not protected is broken', async () => {
    const report = await check({
      answer: ({ url }) =>
        url.pathname.includes('/entities/book') ? { status: 401, headers: {}, body: '' } : undefined,
    })
    expect(statusOf(report, 'traversal.entity')).toBe('failed')
  })
})
