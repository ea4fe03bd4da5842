import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { upstreamUnavailable } from '../src/index.js'
import { declareShop, fetchFrom, makeProducts, PATHS, productResource } from './shop.js'

let printed: MockInstance<typeof console.error>

beforeEach(() => {
  printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

afterEach(() => {
  printed.mockRestore()
})

function lines(): string[] {
  return printed.mock.calls.map(([line]) => String(line))
}

const numbered = productResource(makeProducts(2), {
  serialize: ({ slug, updatedAt }) => ({ id: `product:${slug.slice(-2)}`, updatedAt, data: {} }),
})

describe('without onError', () => {
  test('a record that is left out is printed once, with its reason and what to do', async () => {
    const shop = declareShop([numbered])
    for (let round = 0; round < 3; round++) await shop.sitemap('product')
    expect(lines()).toEqual(
      ['00', '01'].map(
        (name) =>
          `[aadp-server] Left out "product:${name}": id: what follows "product:" must match ^[a-z][a-z0-9_-]*$ and have at most ` +
          '512 characters, such as "n-42" for 42. Change what serialize gives.',
      ),
    )
  })

  test('a date without a time is printed with what a date is', async () => {
    const shop = declareShop([productResource([{ slug: 'a', title: 'A', updatedAt: '2026-01-31' }])])
    await shop.sitemap('product')
    expect(lines()).toEqual([
      '[aadp-server] Left out "product:a": updatedAt: must be a valid Date, or RFC 3339 text with time and zone such as ' +
        '2026-01-31T09:00:00Z. Change what serialize gives.',
    ])
  })

  test('a list that throws is printed each time, with the id that the requester was told', async () => {
    const shop = declareShop([
      productResource([], {
        list: () => {
          throw new TypeError('db.query is not a function')
        },
      }),
    ])
    for (let round = 0; round < 2; round++) {
      const response = await fetchFrom(shop, PATHS.sitemap)
      const { error } = (await response.json()) as { error: { request_id: string } }
      expect(lines()[round]).toBe(
        `[aadp-server] Request ${error.request_id} failed at list of "product": ` +
          'TypeError: db.query is not a function. Look at list of the resource.',
      )
    }
  })

  test('a failure is printed with what it is due to', async () => {
    const cause = new Error('connect to https://who:what@db.example')
    const list = () => {
      throw new TypeError('fetch failed', { cause })
    }
    await fetchFrom(declareShop([productResource([], { list })]), PATHS.sitemap)
    expect(lines()[0]).toContain(
      'TypeError: fetch failed, caused by Error: connect to https://db.example. Look at list',
    )
  })

  test('a count that is left out is printed', async () => {
    const shop = declareShop([productResource([], { count: () => -1 })])
    await shop.sitemapIndex()
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toContain('Left out the count')
  })

  test.each<[string, unknown, string]>([
    ['the password of a URL', new Error('no postgres://me:hunter2@db.test/x'), 'no postgres://db.test/x'],
    ['several lines', new Error('one\r\n\u001b[2Jtwo\u202ethree'), 'one [2Jtwo three'],
    [
      'no message but a code',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['a text', 'away', ': away.'],
    ['nothing', null, 'a thrown null'],
    ['a long text', 'x'.repeat(10_000), 'x…'],
  ])('one line is made of %s', async (_name, thrown, expected) => {
    const shop = declareShop([
      productResource([], {
        list: () => {
          throw thrown
        },
      }),
    ])
    await fetchFrom(shop, PATHS.sitemap)
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toContain(expected)
    expect(lines()[0]).not.toMatch(/hunter2|\p{Cc}|\u202e/u)
    expect(lines()[0]?.length).toBeLessThan(800)
  })

  test('what the application refuses by itself is not printed', async () => {
    const shop = declareShop([productResource([])])
    await fetchFrom(shop, PATHS.entity)
    expect(lines()).toEqual([])
  })
})

test('with onError nothing is printed', async () => {
  const onError = vi.fn()
  const failing = productResource([], {
    type: 'post',
    list: () => {
      throw upstreamUnavailable()
    },
  })
  const shop = declareShop([numbered, failing], { onError })
  await shop.sitemap('product')
  await fetchFrom(shop, '/ai/v1.0/sitemaps/post.json')
  expect(onError).toHaveBeenCalledTimes(3)
  expect(lines()).toEqual([])
})

test('an id that is not valid is told the pattern', async () => {
  const response = await fetchFrom(declareShop([numbered]), '/ai/v1.0/entities/product/2026-hello.json')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: {
      message:
        'The id is not valid: after the type it must match ^[a-z][a-z0-9_-]*$ and have at most 512 characters.',
    },
  })
})
