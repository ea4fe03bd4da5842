import { describe, expect, it } from 'vitest'
import {
  createDiscoveryBudget,
  createMemoryStore,
  discover,
  discoverAllEntities,
  fetchEntity,
  fetchSitemap,
  fetchSitemapIndex,
  isAadpClientError,
  iterateSitemap,
  syncEntities,
  syncOrigins,
} from '../src/index.js'
import * as old from '../src/v0.1.js'
import { collect } from './collect.js'

const ORIGIN = 'https://a.example'

/** What a promise rejects with, or a function throws. */
async function rejection(action: () => unknown): Promise<unknown> {
  try {
    await action()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

let requests = 0
function fetch(): Promise<Response> {
  requests++
  return Promise.resolve(new Response('', { status: 404 }))
}

describe.each([
  ['discover', (options: object) => discover(ORIGIN, options)],
  ['iterateSitemap', (options: object) => collect(iterateSitemap(ORIGIN, options))],
  ['discoverAllEntities', (options: object) => collect(discoverAllEntities(ORIGIN, options))],
  [
    'syncEntities',
    (options: object) => collect(syncEntities(ORIGIN, { store: createMemoryStore(), ...options })),
  ],
  ['syncOrigins', (options: object) => syncOrigins([ORIGIN], { store: createMemoryStore(), ...options })],
])('%s refuses, before a request,', (_name, call) => {
  it.each([
    ['a number as fetch', { fetch: 5 }, 'fetch'],
    ['an object as fetch', { fetch: {} }, 'fetch'],
    ['an object as signal', { signal: {} }, 'signal'],
    ['a number as signal', { signal: 5 }, 'signal'],
    ['a text as headers', { headers: 'a: b' }, 'headers'],
    ['a number as a header', { headers: { a: 5 } }, 'headers'],
    ['a line break in a header', { headers: { a: 'hunter2\r\nb: c' } }, 'headers'],
    ['a number as userAgent', { userAgent: 5 }, 'userAgent'],
    ['a text as retry', { retry: 'always' }, 'retry'],
    ['NaN attempts', { retry: { maxAttempts: NaN } }, 'retry.maxAttempts'],
    ['a list as credentials', { credentials: ['x'] }, 'credentials'],
    ['a number as a secret', { credentials: { key: 5 } }, 'credentials'],
    ['a text as credentialOrigins', { credentialOrigins: ORIGIN }, 'credentialOrigins'],
    ['a text as respectRobots', { respectRobots: 'yes' }, 'respectRobots'],
    ['a number as now', { now: 5 }, 'now'],
    ['a number as random', { random: 5 }, 'random'],
    ['what is left of a condition as fetch', { fetch: false }, 'fetch'],
    ['an empty text as headers', { headers: '' }, 'headers'],
    ['a zero as retry', { retry: 0 }, 'retry'],
    ['an empty text as credentials', { credentials: '' }, 'credentials'],
    ['false as credentialOrigins', { credentialOrigins: false }, 'credentialOrigins'],
    ['false as signal', { signal: false }, 'signal'],
    ['false as budget', { budget: false }, 'budget'],
  ])('%s', async (_case, options, option) => {
    const error = await rejection(() => call({ fetch, ...options }))
    expect(isAadpClientError(error, 'invalid_option')).toBe(true)
    expect(error).toMatchObject({ option })
    expect(String(error)).not.toContain('hunter2')
    expect(requests).toBe(0)
  })
})

describe.each([
  ['discover', (options: object) => discover(ORIGIN, options), { timeoutMS: 5 }, 'timeoutMs'],
  ['discover', (options: object) => discover(ORIGIN, options), { header: {} }, 'headers'],
  ['fetchSitemapIndex', (options: object) => fetchSitemapIndex(ORIGIN, options), { retrys: {} }, 'retry'],
  ['fetchSitemap', (options: object) => fetchSitemap(ORIGIN, null, options), { sginal: 1 }, 'signal'],
  ['fetchEntity', (options: object) => fetchEntity(ORIGIN, options), { credential: {} }, 'credentials'],
  [
    'iterateSitemap',
    (options: object) => collect(iterateSitemap(ORIGIN, options)),
    { maxPage: 5 },
    'maxPages',
  ],
  [
    'discoverAllEntities',
    (options: object) => discoverAllEntities(ORIGIN, options),
    { concurency: 8 },
    'concurrency',
  ],
  [
    'v0.1 discoverAllEntities',
    (options: object) => old.discoverAllEntities(ORIGIN, options),
    { type: [] },
    'types',
  ],
  [
    'syncEntities',
    (options: object) => syncEntities(ORIGIN, { store: createMemoryStore(), ...options }),
    { deadlineMS: 5 },
    'deadlineMs',
  ],
  [
    'syncOrigins',
    (options: object) => syncOrigins([ORIGIN], { store: createMemoryStore(), ...options }),
    { originConcurency: 5 },
    'originConcurrency',
  ],
  ['createDiscoveryBudget', createDiscoveryBudget, { maxByte: 5 }, undefined],
  ['createDiscoveryBudget', createDiscoveryBudget, { maxEntitys: 5 }, 'maxEntities'],
  ['retry', (options: object) => discover(ORIGIN, { retry: options }), { attempts: 5 }, 'retry.maxAttempts'],
  [
    'retry',
    (options: object) => discover(ORIGIN, { retry: options }),
    { maxAttempt: 5 },
    'retry.maxAttempts',
  ],
  [
    'rate',
    (options: object) =>
      syncOrigins([ORIGIN], { store: createMemoryStore(), rate: { max: 1, intervalMs: 1, ...options } }),
    { interval: 5 },
    'rate.intervalMs',
  ],
])('%s', (owner, call: (options: object) => unknown, options, meant) => {
  it(`has no option ${Object.keys(options).join()}`, async () => {
    const error = await rejection(() => call(options))
    const [name = ''] = Object.keys(options)
    const option = /^(?:retry|rate)$/.test(owner) ? `${owner}.${name}` : name
    expect(error).toMatchObject({ name: 'InvalidOptionError', code: 'invalid_option', option })
    const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
    expect((error as Error).message).toBe(`There is no option ${option}${hint}`)
    expect(requests).toBe(0)
  })
})

it('an option of another function is refused too: it would be no limit', async () => {
  expect(await rejection(() => discover(ORIGIN, { maxRequests: 5 } as never))).toMatchObject({
    option: 'maxRequests',
  })
})

it('an absent option may be written as undefined, and a name may be anything', async () => {
  expect(createDiscoveryBudget({ nothing: undefined } as never).limits.maxPages).toBe(10_000)
  const name = 'x'.repeat(100_000)
  const error = await rejection(() => createDiscoveryBudget({ [name]: 5 }))
  expect((error as Error).message.length).toBeLessThan(200)
  for (const hostile of ['__proto__', 'constructor', 'toString', 'a\nb']) {
    const options = JSON.parse(`{${JSON.stringify(hostile)}: 1}`) as object
    expect(await rejection(() => createDiscoveryBudget(options))).toMatchObject({ option: hostile })
  }
})

it.each([
  ['a text as types', { types: 'book' }, 'types'],
  ['a set as types', { types: new Set(['book']) }, 'types'],
  ['a text as ordered', { ordered: 'yes' }, 'ordered'],
  ['NaN as concurrency', { concurrency: NaN }, 'concurrency'],
  ['a misspelt onError', { onError: 'ignore' }, 'onError'],
])('runs refuse %s', async (_case, options, option) => {
  const store = createMemoryStore()
  for (const run of [
    () => collect(discoverAllEntities(ORIGIN, { fetch, ...(options as object) })),
    () => collect(syncEntities(ORIGIN, { fetch, store, ...(options as object) })),
    () => syncOrigins([ORIGIN], { fetch, store, ...(options as object) }),
  ]) {
    expect(await rejection(run)).toMatchObject({ code: 'invalid_option', option })
  }
})

it.each([[null], [5], ['x'], [[]]])('%j is no options', async (options) => {
  const given = options as never
  for (const call of [
    () => discover(ORIGIN, given),
    () => collect(iterateSitemap(ORIGIN, given)),
    () => discoverAllEntities(ORIGIN, given),
    () => syncEntities(ORIGIN, given),
    () => syncOrigins([ORIGIN], given),
    () => createDiscoveryBudget(given),
  ]) {
    expect(await rejection(call)).toMatchObject({ code: 'invalid_option' })
  }
})

it.each([[null], [5], [{}], ['./mirror.db']])('%j is no store', async (store) => {
  expect(await rejection(() => syncEntities(ORIGIN, { store: store as never }))).toMatchObject({
    option: 'store',
  })
})

it.each([
  [null],
  [undefined],
  [5],
  [Symbol('x')],
  [{}],
  [''],
  ['books.example'],
  ['localhost:3000'],
  ['ftp://a.example/'],
  ['https://user:s3cr3t@a.example/'],
])('%s is no origin', async (origin) => {
  for (const call of [
    () => discover(origin as never),
    () => discoverAllEntities(origin as never),
    () => syncEntities(origin as never, { store: createMemoryStore() }),
  ]) {
    expect(await rejection(call)).toMatchObject({
      code: 'invalid_option',
      option: 'origin',
      message:
        'The origin must be an http or https URL such as https://books.example, without user name and password',
    })
  }
})

it.each([[null], [undefined], [5], [Symbol('x')], [{}], [''], ['a.example'], ['ftp://a.example/']])(
  '%s is no URL',
  async (url) => {
    expect(await rejection(() => fetchEntity(url as never))).toMatchObject({ code: 'blocked_url' })
    const sync = (): Promise<void> => syncOrigins(url as never, { store: createMemoryStore() })
    expect(await rejection(sync)).toMatchObject({ code: 'invalid_option', option: 'origins' })
  },
)
