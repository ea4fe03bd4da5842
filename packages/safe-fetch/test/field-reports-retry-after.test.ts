import { startScriptedServer } from '@internal/loopback'
import { expect, it, onTestFinished } from 'vitest'

import type { Hop } from '../src/exchange/hop.js'
import { createSafeFetch } from '../src/index.js'
import { retryDelay } from '../src/exchange/retry-delay.js'
import { parseRetry } from '../src/options/retry-options.js'
import type { RetryOptions } from '../src/options/retry-options.js'

/** The waits of a call to a server that stays busy; jitter is at its maximum. */
function waits(
  headers: Record<string, string>,
  options: RetryOptions = {},
  remainingMs = 30_000,
): readonly number[] {
  const retry = parseRetry({ maxAttempts: 4, baseDelayMs: 100, maxDelayMs: 20_000, ...options })
  const hop = { status: 429, headers } as unknown as Hop
  const now = (): number => Date.parse('2026-01-01T00:00:00Z')
  const delays: number[] = []
  for (let attempt = 1; ; attempt++) {
    const delayMs = retryDelay({ hop }, retry, { method: 'GET', attempt, remainingMs, now, random: () => 1 })
    if (delayMs === null) return delays
    delays.push(delayMs)
  }
}

const BACK_OFF = [100, 200, 400]
const GIVEN_UP: readonly number[] = []

it.each([
  '-5',
  '-1',
  '1.5',
  'soon',
  '+5',
  '0x10',
  '1e3',
  '5 seconds',
  '',
  '2026-01-01',
  'Wed, 32 Jan 2026 00:00:00 GMT',
])('RA-01, RA-06: Retry-After "%s" is ignored, and the waits grow as usual', (value) => {
  expect(waits({ 'retry-after': value })).toEqual(BACK_OFF)
})

it('RA-02: digits are seconds', () => {
  expect(waits({ 'retry-after': '12' }, { maxAttempts: 2 })).toEqual([12_000])
})

it.each(['Thu, 01 Jan 2026 00:00:07 GMT', 'Thursday, 01-Jan-26 00:00:07 GMT', 'Thu Jan  1 00:00:07 2026'])(
  'RA-02: the date %s is waited for',
  (date) => {
    expect(waits({ 'retry-after': date }, { maxAttempts: 2 })).toEqual([7_000])
  },
)

it.each([
  '2147484',
  'Wed, 21 Oct 2099 07:28:00 GMT',
  '9999999999',
  '99999999999999999999999',
  '9223372037',
  '20.001'.replace('.', ''),
])(
  'RA-03, RA-04, RA-05: Retry-After %s is beyond what is waited for, so the response is returned',
  (value) => {
    expect(waits({ 'retry-after': value })).toEqual(GIVEN_UP)
  },
)

it('RA-04: a delay that does not fit into the deadline is not waited for', () => {
  expect(waits({ 'retry-after': '31' }, { maxDelayMs: 60_000 }, 30_000)).toEqual(GIVEN_UP)
})

it('RA-06: zero or a date in the past does not switch the back-off off', () => {
  expect(waits({ 'retry-after': '0' })).toEqual(BACK_OFF)
})

it('RA-06: nor does a date in the past', () => {
  expect(waits({ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' })).toEqual(BACK_OFF)
})

it('RA-10: other headers about limits are not read', () => {
  expect(waits({ 'x-ratelimit-reset': '1', 'ratelimit-reset': '300' })).toEqual(BACK_OFF)
})

it('RA-04: a call whose wait is given up returns the response it has', async () => {
  const server = await startScriptedServer((socket) =>
    socket.write('HTTP/1.1 429 Too Many Requests\r\nretry-after: 9999999999\r\ncontent-length: 0\r\n\r\n'),
  )
  const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host], retry: {} })
  onTestFinished(async () => {
    await server.close()
    await safeFetch.close()
  })
  expect((await safeFetch(server.origin)).status).toBe(429)
  expect(server.requests).toHaveLength(1)
})
