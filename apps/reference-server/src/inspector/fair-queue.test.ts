import { describe, expect, it } from 'vitest'
import { createFairQueue, type FairQueue, type FairQueueOptions, type Turn } from './fair-queue.js'

interface Work {
  readonly turn: Turn
  /** Ends it. */
  readonly end: () => Promise<void>
}

/** Work that is noted when it begins, and ends when it is told to. */
function queueOf(options: Partial<FairQueueOptions> = {}): {
  readonly queue: FairQueue
  readonly begun: string[]
  readonly add: (owner: string, work?: { readonly isLong?: boolean }) => Promise<Work>
} {
  const queue = createFairQueue({ maxRunning: 1, maxWaiting: 100, maxWaitingOfOwner: 100, ...options })
  const begun: string[] = []
  return {
    queue,
    begun,
    async add(owner, { isLong = false } = {}) {
      const turn = queue.enter({ owner, isLong })
      if (turn === undefined) throw new Error('full')
      let finish = (): void => undefined
      const ended = new Promise<void>((resolve) => {
        finish = resolve
      })
      const over = turn.start(async () => {
        begun.push(owner)
        await ended
      })
      await settled()
      return {
        turn,
        async end() {
          finish()
          await over
          await settled()
        },
      }
    },
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a fair queue', () => {
  it('lets nobody have two places, however many are free', async () => {
    const { add, begun } = queueOf({ maxRunning: 3 })
    const first = await add('ann')
    const second = await add('ann')
    expect([first.turn.place(), second.turn.place(), begun]).toEqual([0, 1, ['ann']])
    await add('bob')
    expect(begun).toEqual(['ann', 'bob'])
    await first.end()
    expect([second.turn.place(), begun]).toEqual([0, ['ann', 'bob', 'ann']])
  })

  it('lets those who came later with little to do not wait for one with much', async () => {
    const { add, begun } = queueOf()
    const anns = [await add('ann'), await add('ann'), await add('ann')]
    const bob = await add('bob')
    const eve = await add('eve')
    expect([...anns, bob, eve].map(({ turn }) => turn.place())).toEqual([0, 3, 4, 1, 2])
    for (const work of [anns[0], bob, eve, anns[1], anns[2]]) await work?.end()
    expect(begun).toEqual(['ann', 'bob', 'eve', 'ann', 'ann'])
  })

  it('leaves a place to short work, where there is more than one', async () => {
    const { add, begun } = queueOf({ maxRunning: 2 })
    const long = await add('ann', { isLong: true })
    await add('bob', { isLong: true })
    await add('eve')
    expect(begun).toEqual(['ann', 'eve'])
    await long.end()
    expect(begun).toEqual(['ann', 'eve', 'bob'])
    const alone = queueOf()
    await alone.add('ann', { isLong: true })
    expect(alone.begun).toEqual(['ann'])
  })

  it('has no room beyond its limits, of one owner and of all; who leaves makes room', async () => {
    const { queue, add } = queueOf({ maxWaiting: 3, maxWaitingOfOwner: 1 })
    await add('ann')
    const kept = queue.enter({ owner: 'ann', isLong: false })
    expect(queue.enter({ owner: 'ann', isLong: false })).toBeUndefined()
    await add('bob')
    await add('eve')
    expect(queue.enter({ owner: 'tom', isLong: false })).toBeUndefined()
    kept?.leave()
    expect(queue.enter({ owner: 'tom', isLong: false })?.place()).toBe(3)
  })

  it('goes on behind work that fails, and does not wait for a turn that was not started', async () => {
    const { queue, add, begun } = queueOf()
    queue.enter({ owner: 'ann', isLong: false })
    const failing = queue.enter({ owner: 'bob', isLong: false })
    const failed = failing?.start(() => Promise.reject(new Error('broken')))
    await Promise.all([expect(failed).rejects.toThrow('broken'), add('eve')])
    await settled()
    expect(begun).toEqual(['eve'])
  })

  it('lets all begin when it is opened', async () => {
    const { queue, add, begun } = queueOf()
    for (const owner of ['ann', 'ann', 'bob']) await add(owner, { isLong: true })
    queue.open()
    await settled()
    expect(begun).toEqual(['ann', 'bob', 'ann'])
  })
})
