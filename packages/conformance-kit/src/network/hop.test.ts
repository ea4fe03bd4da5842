import { describe, expect, it } from 'vitest'
import { hopOver, type GuardedFetch, type HopRequest } from './hop.js'

const REQUEST: HopRequest = {
  url: 'https://site.test/',
  method: 'GET',
  headers: Object.freeze({ accept: 'application/json' }),
  body: undefined,
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  maxResponseBytes: 100,
}

type Init = Parameters<GuardedFetch['request']>[1]

/** Sends requests one after the other over one guarded fetch, and tells what that was given. */
async function send(...requests: readonly HopRequest[]): Promise<readonly Init[]> {
  const inits: Init[] = []
  const request: GuardedFetch['request'] = (url, init) => {
    inits.push(init)
    return Promise.resolve({ url, redirected: false, status: 200, headers: {}, body: new Uint8Array() })
  }
  const hop = hopOver({ request })
  for (const one of requests) await hop(one)
  return inits
}

describe('a hop over a guarded fetch', () => {
  it('says the same to it for requests that differ in their URL alone', async () => {
    const [first, second] = await send(REQUEST, { ...REQUEST, url: 'https://site.test/other' })
    expect(second).toBe(first)
    expect(Object.isFrozen(first)).toBe(true)
    const { url: _, body: __, ...terms } = REQUEST
    expect(first).toEqual({ ...terms, redirect: 'manual' })
  })

  it.each<Partial<HopRequest>>([
    { method: 'HEAD' },
    { headers: { accept: '*/*' } },
    { method: 'POST', body: 'text' },
    { signal: new AbortController().signal },
    { timeoutMs: 999 },
    { maxResponseBytes: 99 },
  ])('says what is different: %o', async (difference) => {
    const inits = await send(REQUEST, { ...REQUEST, ...difference }, REQUEST)
    expect(inits[1]).toEqual({ ...inits[0], ...difference })
    expect(inits[2]).toEqual(inits[0])
    expect(inits[1]?.signal).toBe(difference.signal ?? REQUEST.signal)
    expect(inits[2]?.signal).toBe(REQUEST.signal)
  })
})
