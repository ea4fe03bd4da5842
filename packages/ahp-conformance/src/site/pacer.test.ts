import { expect, it } from 'vitest'
import { Pacer } from './pacer.js'
import { toReading } from './reading.js'

it('tells of each wait as it begins', async () => {
  const told: string[] = []
  const pacer = new Pacer({
    now: () => 0,
    sleep: (delayMs) => {
      told.push(`sleeps ${delayMs}`)
      return Promise.resolve()
    },
    signal: new AbortController().signal,
    maxWaitMs: 90_000,
    onWait: (waitMs) => told.push(`waits ${waitMs}`),
  })
  const request = { url: 'https://site.test/' }
  const refusal = { redirected: false, status: 429, headers: { 'retry-after': '60' }, body: new Uint8Array() }
  await pacer.untilOpen('POST converse')
  pacer.note(
    'POST converse',
    toReading('converse', { ok: true, request, response: { ...request, ...refusal } }),
  )
  await pacer.untilOpen('POST converse')
  expect(told).toEqual(['waits 60000', 'sleeps 60000'])
})
