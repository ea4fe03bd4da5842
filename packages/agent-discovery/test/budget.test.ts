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
