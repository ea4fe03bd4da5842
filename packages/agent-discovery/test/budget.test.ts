import { describe, expect, it } from 'vitest'
import { discover } from '../src/index.js'
import { probe } from '../src/probe.js'
import { startSite } from './start-site.js'

const MAX_TOTAL_BYTES = 100_000

describe('maxTotalBytes', () => {
  it('holds for the page too', async () => {
    const { origin, fetch } = await startSite({ '/': { type: 'text/html', body: 'x'.repeat(300_000) } })
    const { page, budget } = await discover(origin, { fetch, maxTotalBytes: MAX_TOTAL_BYTES })
    expect(page).toMatchObject({ bytes: MAX_TOTAL_BYTES, truncated: true })
    expect(budget).toMatchObject({ bytes: MAX_TOTAL_BYTES, stopped: 'bytes-exhausted' })
  })

  it('holds for bodies that arrive at the same time', async () => {
    const { origin, fetch } = await startSite({ '*': { json: { a: 'y'.repeat(90_000) } } })
    const { resources, budget } = await probe(origin, { fetch, maxTotalBytes: MAX_TOTAL_BYTES })
    expect(budget).toMatchObject({ bytes: MAX_TOTAL_BYTES, stopped: 'bytes-exhausted' })
    expect(resources.map(({ state }) => state)).not.toContain('absent')
  })

  it('counts bodies that break off', async () => {
    const { origin, fetch } = await startSite({
      '/llms.txt': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' })
        response.write('# A\n', () => response.destroy())
      },
    })
    const { budget } = await probe(origin, { fetch })
    expect(budget.bytes).toBe('# A\n'.length + 'no'.length * (budget.requests - 1))
  })
})

it.each([429, 503])('a page that asks to wait by %i ends it, and its Retry-After is told', async (status) => {
  const { origin, fetch, requests } = await startSite({ '/': { status, headers: { 'retry-after': '120' } } })
  const { budget } = await discover(origin, { fetch })
  expect(budget).toMatchObject({ stopped: 'rate-limited', retryAfterSeconds: 120 })
  expect(requests).toEqual(['GET /'])
})

describe('a body that never ends, and does not know of the signal', () => {
  const never = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('# A\n'))
      },
      cancel: () => new Promise(() => undefined),
    })
  const fetch = (): Promise<Response> =>
    Promise.resolve(new Response(never(), { headers: { 'content-type': 'text/html' } }))

  it('costs its time and no more', async () => {
    const { page } = await discover('https://example.com/', { fetch, probe: false, pageTimeoutMs: 20 })
    expect(page).toMatchObject({ state: 'read', bytes: 4, truncated: true })
    const { resources } = await probe('https://example.com/', { fetch, timeoutMs: 20, maxRequests: 3 })
    expect(resources.map(({ reasons }) => reasons)).toContainEqual(['timeout'])
  })

  it('is given up at a limit, as a refusal or as a redirect', async () => {
    const limited = await discover('https://example.com/', { fetch, probe: false, maxPageBytes: 2 })
    expect(limited.page).toMatchObject({ state: 'read', bytes: 2, truncated: true })
    for (const init of [{ status: 403 }, { status: 302, headers: { location: '/x' } }]) {
      const answer = (): Promise<Response> => Promise.resolve(new Response(never(), init))
      const { resources } = await probe('https://example.com/', {
        fetch: answer,
        timeoutMs: 20,
        maxRequests: 3,
      })
      expect(resources.length).toBeGreaterThan(0)
    }
    const refused = (): Promise<Response> => Promise.resolve(new Response(never(), { status: 403 }))
    const { page } = await discover('https://example.com/', { fetch: refused, probe: false })
    expect(page.state).toBe('refused')
  })

  it('ends with the reason of the caller', async () => {
    const signal = AbortSignal.timeout(20)
    const reason: unknown = await discover('https://example.com/', { fetch, signal }).catch(
      (error: unknown) => error,
    )
    expect(signal.aborted).toBe(true)
    expect(reason).toBe(signal.reason)
  })
})
