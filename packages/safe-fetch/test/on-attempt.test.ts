import { expect, it } from 'vitest'

import type { AttemptEvent } from '../src/index.js'
import { openWorld, redirectTo, rejection, routes, text } from './world.js'

it('each hop is reported with the address it was pinned to', async () => {
  const events: AttemptEvent[] = []
  const world = await openWorld(
    routes({
      'http://a.example/x': redirectTo('https://b.example/?q=1'),
      'https://b.example/?q=1': text('b'),
    }),
    { onAttempt: (event) => events.push(event) },
  )
  await world.safeFetch('http://a.example/x#f', { method: 'POST', body: 'x' })
  expect(events).toEqual([
    {
      attempt: 1,
      hop: 0,
      method: 'POST',
      url: 'http://a.example/x',
      status: 302,
      address: '93.184.216.34',
      elapsedMs: expect.any(Number) as number,
    },
    {
      attempt: 1,
      hop: 1,
      method: 'GET',
      url: 'https://b.example/?q=1',
      status: 200,
      address: '93.184.216.35',
      elapsedMs: expect.any(Number) as number,
    },
  ])
})

it('a failure is reported by its code, an abort as aborted', async () => {
  const failures: AttemptEvent['failure'][] = []
  const world = await openWorld(
    () => undefined,
    { onAttempt: ({ failure }) => failures.push(failure) },
    { 'a.example': ['93.184.216.34'], 'private.example': ['10.0.0.1'] },
  )
  await rejection(world.safeFetch('http://private.example/'))
  await rejection(world.safeFetch('http://unknown.example/'))
  const controller = new AbortController()
  const call = rejection(world.safeFetch('http://a.example/', { signal: controller.signal }))
  await expect.poll(() => world.seen.length).toBe(1)
  controller.abort()
  await call
  expect(failures).toEqual(['blocked', 'dns_failed', 'aborted'])
})

it('an observer that throws fails the call and leaves nothing open', async () => {
  const mistake = new Error('observer')
  const world = await openWorld(text('x'), {
    onAttempt: () => {
      throw mistake
    },
  })
  expect(await rejection(world.safeFetch('http://a.example/'))).toBe(mistake)
  expect(await rejection(world.safeFetch.request('http://a.example/'))).toBe(mistake)
  await world.safeFetch.close()
})
