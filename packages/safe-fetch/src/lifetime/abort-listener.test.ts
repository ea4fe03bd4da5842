import { getEventListeners } from 'node:events'

import { expect, it } from 'vitest'

import { addAbortListener, removeAbortListener } from './abort-listener.js'

it('one event listener serves all, each is called once, and none is left', () => {
  const controller = new AbortController()
  const { signal } = controller
  const calls: string[] = []
  const [first, second, third] = ['first', 'second', 'third'].map((name) => () => void calls.push(name))
  addAbortListener(signal, first!)
  addAbortListener(signal, second!)
  addAbortListener(signal, third!)
  removeAbortListener(signal, second!)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  controller.abort()
  expect(calls).toEqual(['first', 'third'])
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it('the last to leave takes the event listener away', () => {
  const { signal } = new AbortController()
  const listener = (): void => undefined
  addAbortListener(signal, listener)
  removeAbortListener(signal, listener)
  removeAbortListener(signal, listener)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  addAbortListener(signal, listener)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
})
