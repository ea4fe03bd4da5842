import type { Dispatcher } from 'undici'
import { expect, it } from 'vitest'

import { OriginPools } from './origin-pools.js'

const HANDLER: Dispatcher.DispatchHandler = {}

function recordPools(): { readonly pools: OriginPools; readonly made: string[]; readonly closed: string[] } {
  const made: string[] = []
  const closed: string[] = []
  const pools = new OriginPools((origin) => {
    made.push(origin)
    const pool = { dispatch: () => true, close: () => Promise.resolve(closed.push(origin)) }
    return pool as unknown as Dispatcher
  })
  return { pools, made, closed }
}

function dispatch(pools: OriginPools, origin: string): void {
  pools.dispatch({ origin, path: '/', method: 'GET' }, HANDLER)
}

it('the pool used least recently is closed when there are too many', () => {
  const { pools, made, closed } = recordPools()
  for (let count = 0; count < 1_024; count++) dispatch(pools, `https://host-${count}.example`)
  dispatch(pools, 'https://host-0.example')
  expect(closed).toEqual([])
  dispatch(pools, 'https://one-more.example')
  expect(closed).toEqual(['https://host-1.example'])
  dispatch(pools, 'https://host-1.example')
  expect(made.filter((origin) => origin === 'https://host-1.example')).toHaveLength(2)
})

it('closing closes every pool, and later ones are new', async () => {
  const { pools, made, closed } = recordPools()
  dispatch(pools, 'https://a.example')
  dispatch(pools, 'https://b.example')
  await pools.close()
  expect(closed).toEqual(['https://a.example', 'https://b.example'])
  dispatch(pools, 'https://a.example')
  expect(made).toEqual(['https://a.example', 'https://b.example', 'https://a.example'])
})
