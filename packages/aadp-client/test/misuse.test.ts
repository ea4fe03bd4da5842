import { describe, expect, it } from 'vitest'
import {
  createDiscoveryBudget,
  createMemoryStore,
  discover,
  discoverAllEntities,
  fetchEntity,
  isAadpClientError,
  iterateSitemap,
  syncEntities,
  syncOrigins,
} from '../src/index.js'
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
  ])('%s', async (_case, options, option) => {
    const error = await rejection(() => call({ fetch, ...options }))
    expect(isAadpClientError(error, 'invalid_option')).toBe(true)
    expect(error).toMatchObject({ option })
    expect(String(error)).not.toContain('hunter2')
    expect(requests).toBe(0)
  })
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

it.each([[null], [undefined], [5], [Symbol('x')], [{}], [''], ['a.example'], ['ftp://a.example/']])(
  '%s is no URL',
  async (url) => {
    for (const call of [() => discover(url as never), () => fetchEntity(url as never)]) {
      expect(await rejection(call)).toMatchObject({ code: 'blocked_url' })
    }
    const sync = (): Promise<void> => syncOrigins(url as never, { store: createMemoryStore() })
    expect(await rejection(sync)).toMatchObject({ code: 'invalid_option', option: 'origins' })
  },
)
