import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryQueue } from './memory-queue.js'

const FREE = { concurrency: 2, rate: undefined, signal: undefined }

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('createMemoryQueue', () => {
  it('works in order, once for each origin, so many at once, and is done when empty', async () => {
    const queue = createMemoryQueue()
    for (const origin of ['a', 'b', 'a', 'c']) await queue.add(origin)
    const log: string[] = []
    let running = 0
    const done = queue.process(async (origin) => {
      log.push(origin)
      running++
      expect(running).toBeLessThanOrEqual(2)
      await vi.advanceTimersByTimeAsync(10)
      running--
    }, FREE)
    await done
    expect(log).toEqual(['a', 'b', 'c'])
    await queue.add('a')
    await queue.process((origin) => Promise.resolve(void log.push(origin)), FREE)
    expect(log).toEqual(['a', 'b', 'c', 'a'])
  })

  it('goes on after a failure', async () => {
    const queue = createMemoryQueue()
    for (const origin of ['a', 'b']) await queue.add(origin)
    const log: string[] = []
    await queue.process(
      (origin) => {
        log.push(origin)
        return Promise.reject(new Error('no'))
      },
      { ...FREE, concurrency: 1 },
    )
    expect(log).toEqual(['a', 'b'])
  })

  it('keeps to a rate', async () => {
    const queue = createMemoryQueue()
    for (const origin of ['a', 'b', 'c', 'd', 'e']) await queue.add(origin)
    const log: string[] = []
    const done = queue.process((origin) => Promise.resolve(void log.push(`${origin}@${Date.now()}`)), {
      ...FREE,
      rate: { max: 2, intervalMs: 1_000 },
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await done
    expect(log).toEqual(['a@0', 'b@0', 'c@1000', 'd@1000', 'e@2000'])
  })

  it('begins nothing after an abort', async () => {
    const queue = createMemoryQueue()
    for (const origin of ['a', 'b', 'c']) await queue.add(origin)
    const controller = new AbortController()
    const log: string[] = []
    await queue.process(
      (origin) => {
        log.push(origin)
        controller.abort()
        return Promise.resolve()
      },
      { ...FREE, concurrency: 1, signal: controller.signal },
    )
    expect(log).toEqual(['a'])
  })
})
