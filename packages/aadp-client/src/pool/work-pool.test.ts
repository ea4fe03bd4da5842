import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Lane } from './lane.js'
import type { Outcome, WorkPoolOptions } from './work-pool-options.js'
import { WorkPool } from './work-pool.js'

interface Plan {
  /** For each lane its batches of task numbers. */
  readonly lanes: readonly (readonly (readonly number[])[])[]
  readonly concurrency?: number
  readonly readAhead?: number
  /** Each response has 10. */
  readonly readAheadBytes?: number
  readonly ordered?: boolean
  /** Turns that a task or batch takes. */
  readonly turns?: (task: number) => number
  readonly perform?: (task: number) => Promise<number | undefined>
  readonly drains?: (error: unknown) => boolean
}

/** A pool over planned lanes that counts what runs. */
function poolOf(plan: Plan) {
  const counts = { running: 0, peak: 0, started: [] as number[], aborts: 0, outcomes: [] as Outcome[] }
  const busy = async <T>(turns: number, result: () => T | Promise<T>): Promise<T> => {
    counts.running++
    counts.peak = Math.max(counts.peak, counts.running)
    try {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      return await result()
    } finally {
      counts.running--
    }
  }
  const lanes = plan.lanes.map((batches): Lane<number> => {
    let next = 0
    return { next: () => busy(1, () => batches[next++]) }
  })
  const options: WorkPoolOptions<number, number | undefined, number, string> = {
    concurrency: plan.concurrency ?? 4,
    readAhead: plan.readAhead ?? 16,
    readAheadBytes: plan.readAheadBytes ?? Infinity,
    ordered: plan.ordered ?? true,
    open: () => Promise.resolve(lanes),
    request: (task) => {
      counts.started.push(task)
      return busy(plan.turns?.(task) ?? 1, () => (plan.perform ? plan.perform(task) : task))
    },
    read: (_task, response) => response,
    weigh: () => 10,
    leaveOut,
    drains: plan.drains ?? (() => false),
    abort: () => counts.aborts++,
    finish: (outcome) => {
      counts.outcomes.push(outcome)
      return { summary: outcome.kind, ...(outcome.kind === 'failed' && { failure: outcome }) }
    },
  }
  return { pool: new WorkPool(options), counts }
}

/** Every error ends the work. */
function leaveOut(_task: number, error: unknown): never {
  throw error
}

const PLAIN = {
  readAheadBytes: Infinity,
  weigh: () => 10,
  leaveOut,
  drains: () => false,
  abort: () => undefined,
}

async function drain<T>(
  iterator: AsyncIterableIterator<T, unknown, undefined>,
): Promise<{ values: T[]; error?: unknown }> {
  const values: T[] = []
  try {
    for await (const value of iterator) values.push(value)
    return { values }
  } catch (error) {
    return { values, error }
  }
}

const lanesArbitrary = fc.array(fc.array(fc.array(fc.nat(1_000), { maxLength: 8 }), { maxLength: 5 }), {
  maxLength: 6,
})
const planArbitrary = fc.record({
  lanes: lanesArbitrary,
  concurrency: fc.integer({ min: 1, max: 6 }),
  readAhead: fc.integer({ min: 1, max: 12 }),
  readAheadBytes: fc.constantFrom(1, 10, 30, Infinity),
  ordered: fc.boolean(),
  seed: fc.nat(),
})

describe('WorkPool', () => {
  it('delivers every task once, in order when asked to, within its limits', async () => {
    await fc.assert(
      fc.asyncProperty(planArbitrary, async ({ seed, ...plan }) => {
        const { pool, counts } = poolOf({ ...plan, turns: (task) => ((task + seed) * 7) % 5 })
        const { values, error } = await drain(pool)
        const all = plan.lanes.flat(2)
        expect(error).toBeUndefined()
        expect(plan.ordered ? values : values.toSorted()).toEqual(plan.ordered ? all : all.toSorted())
        expect(counts.peak).toBeLessThanOrEqual(plan.concurrency)
        expect(counts.outcomes).toEqual([{ kind: 'done' }])
      }),
      { numRuns: 200 },
    )
  })

  it('delivers exactly what comes before a failure, in order', async () => {
    await fc.assert(
      fc.asyncProperty(planArbitrary, fc.nat(), async ({ seed, ...plan }, pick) => {
        const lanes = numbered(plan.lanes)
        const all = lanes.flat(2)
        fc.pre(all.length > 0)
        const bad = all[pick % all.length]!
        const failure = new Error('bad')
        const { pool } = poolOf({
          ...plan,
          lanes,
          ordered: true,
          turns: (task) => ((task + seed) * 7) % 5,
          perform: (task) => (task === bad ? Promise.reject(failure) : Promise.resolve(task)),
        })
        expect(await drain(pool)).toEqual({ values: all.slice(0, all.indexOf(bad)), error: failure })
        expect(await pool.next()).toEqual({ done: true, value: 'failed' })
      }),
    )
  })

  it('finishes and delivers what runs when an error only drains', async () => {
    await fc.assert(
      fc.asyncProperty(planArbitrary, fc.nat(20), async (plan, allowed) => {
        const lanes = numbered(plan.lanes)
        const all = lanes.flat(2)
        fc.pre(all.length > allowed)
        const failure = new Error('used up')
        let begun = 0
        const { pool, counts } = poolOf({
          ...plan,
          lanes,
          perform: (task) => (begun++ < allowed ? Promise.resolve(task) : Promise.reject(failure)),
          turns: (task) => (task % 3) + 1,
          drains: (error) => error === failure,
        })
        const { values, error } = await drain(pool)
        expect(error).toBe(failure)
        expect(values).toHaveLength(allowed)
        expect(counts.aborts).toBe(0)
      }),
    )
  })

  it.each([true, false])('does the tasks it knows when a batch only drains, ordered %s', async (ordered) => {
    const failure = new Error('used up')
    const one = [[1, 2, 3, 4, 5]]
    const other = [[6, 7], [8], [9]]
    const pool = new WorkPool<number, number, number, undefined>({
      ...PLAIN,
      concurrency: 3,
      readAhead: 20,
      ordered,
      open: () =>
        Promise.resolve([
          { next: () => (one.length > 0 ? Promise.resolve(one.shift()) : Promise.reject(failure)) },
          { next: () => Promise.resolve(other.shift()) },
        ]),
      request: async (task) => {
        await new Promise(setImmediate)
        return task
      },
      read: (task) => task,
      drains: (error) => error === failure,
      finish: (outcome) => ({ summary: undefined, ...(outcome.kind === 'failed' && { failure: outcome }) }),
    })
    const { values, error } = await drain(pool)
    expect([values.toSorted(), error]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9], failure])
  })

  it.each([true, false])(
    'stays stopped when a batch under way is refused after that, ordered %s',
    async (ordered) => {
      const reason = new Error('stopped by the caller')
      const refused = new Error('used up')
      let refuse = (): void => undefined
      const pool = new WorkPool<number, number, number, undefined>({
        ...PLAIN,
        concurrency: 1,
        readAhead: 1,
        ordered,
        open: () =>
          Promise.resolve([
            {
              next: () =>
                new Promise((_resolve, reject) => {
                  refuse = () => {
                    reject(refused)
                  }
                }),
            },
          ]),
        request: (task) => Promise.resolve(task),
        read: (task) => task,
        drains: (error) => error === refused,
        finish: (outcome) => ({ summary: undefined, ...(outcome.kind === 'failed' && { failure: outcome }) }),
      })
      const next = drain(pool)
      await new Promise(setImmediate)
      pool.stop({ kind: 'failed', error: reason })
      refuse()
      expect(await next).toEqual({ values: [], error: reason })
    },
  )

  it('delivers what came before a batch that fails, in order', async () => {
    const failure = new Error('no batch')
    const batches: (readonly number[])[] = [[1, 2], [3]]
    const pool = new WorkPool<number, number, number, undefined>({
      ...PLAIN,
      concurrency: 2,
      readAhead: 4,
      ordered: true,
      open: () =>
        Promise.resolve([
          { next: () => (batches.length > 0 ? Promise.resolve(batches.shift()) : Promise.reject(failure)) },
          { next: () => Promise.resolve([4]) },
        ]),
      request: async (task) => {
        await new Promise(setImmediate)
        return task
      },
      read: (task) => task,
      finish: (outcome) => ({ summary: undefined, ...(outcome.kind === 'failed' && { failure: outcome }) }),
    })
    expect(await drain(pool)).toEqual({ values: [1, 2, 3], error: failure })
  })

  it('starts nothing before the first next, and no more than the read-ahead while the consumer is away', async () => {
    const many = Array.from({ length: 100 }, (_, task) => task)
    for (const ordered of [true, false]) {
      const { pool, counts } = poolOf({ lanes: [[many]], readAhead: 10, ordered })
      await settle()
      expect(counts.started).toEqual([])
      await pool.next()
      await settle()
      expect(counts.started.length).toBeLessThanOrEqual(11)
      await pool.return()
    }
  })

  it.each([true, false])('begins nothing more while what waits is heavy, ordered %s', async (ordered) => {
    const many = Array.from({ length: 100 }, (_, task) => task)
    const { pool, counts } = poolOf({
      lanes: [[many]],
      readAhead: 100,
      readAheadBytes: 40,
      ordered,
      turns: (task) => (task === 0 ? 200 : 1),
    })
    const first = pool.next()
    await settle()
    expect(counts.started.length).toBeLessThanOrEqual(12)
    await first
    expect((await drain(pool)).values).toHaveLength(99)
  })

  it('works on while one task is slow', async () => {
    const { pool, counts } = poolOf({
      lanes: [[Array.from({ length: 50 }, (_, task) => task)]],
      concurrency: 2,
      readAhead: 60,
      turns: (task) => (task === 0 ? 200 : 1),
    })
    const first = pool.next()
    await settle()
    expect(counts.started.length).toBe(50)
    await first
    await pool.return()
  })

  it('stops at once when left: aborts, and starts nothing more', async () => {
    const { pool, counts } = poolOf({ lanes: [[Array.from({ length: 100 }, (_, task) => task)]] })
    for await (const value of pool) if (value === 2) break
    const started = counts.started.length
    expect(counts).toMatchObject({ aborts: 1, running: 0, outcomes: [{ kind: 'stopped' }] })
    await settle()
    expect(counts.started).toHaveLength(started)
    expect(await pool.next()).toEqual({ done: true, value: 'stopped' })
  })

  it('ends with the error it is stopped with', async () => {
    const { pool } = poolOf({ lanes: [[[1, 2, 3]]] })
    await pool.next()
    const reason = new Error('enough')
    pool.stop({ kind: 'failed', error: reason })
    await expect(pool.next()).rejects.toBe(reason)
    expect(await pool.next()).toEqual({ done: true, value: 'failed' })
  })

  it('answers calls of next in their order', async () => {
    const { pool } = poolOf({ lanes: [[[1, 2, 3]]] })
    const results = await Promise.all([pool.next(), pool.next(), pool.next(), pool.next()])
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 'done'])
  })

  it('fails when the lanes cannot be opened', async () => {
    const failure = new Error('no lanes')
    const pool = new WorkPool<number, number, number, undefined>({
      ...PLAIN,
      concurrency: 1,
      readAhead: 1,
      ordered: true,
      open: () => Promise.reject(failure),
      request: (task) => Promise.resolve(task),
      read: (task) => task,
      finish: (outcome) => ({ summary: undefined, ...(outcome.kind === 'failed' && { failure: outcome }) }),
    })
    expect(await drain(pool)).toEqual({ values: [], error: failure })
  })

  it.each([true, false])('reads responses when the next requests have begun, ordered %s', async (ordered) => {
    const log: string[] = []
    const batches = [[1, 2, 3, 4]]
    const pool = new WorkPool<number, string, number, string>({
      ...PLAIN,
      concurrency: 2,
      readAhead: 10,
      ordered,
      open: () => Promise.resolve([{ next: () => Promise.resolve(batches.shift()) }]),
      request: async (task) => {
        log.push(`ask ${task}`)
        await new Promise(setImmediate)
        return `response ${task}`
      },
      read: (task, response) => {
        log.push(response)
        return task
      },
      finish: () => ({ summary: 'done' }),
    })
    expect((await drain(pool)).values).toEqual([1, 2, 3, 4])
    expect(log).toEqual([
      ...['ask 1', 'ask 2', 'ask 3', 'ask 4'],
      ...['response 1', 'response 2', 'response 3', 'response 4'],
    ])
  })

  it.each([true, false])('leaves out what fails if it may, ordered %s', async (ordered) => {
    const told: unknown[] = []
    const batches = [[1, 2, 3, 4]]
    const pool = new WorkPool<number, number, number, string>({
      ...PLAIN,
      concurrency: 4,
      readAhead: 10,
      ordered,
      open: () => Promise.resolve([{ next: () => Promise.resolve(batches.shift()) }]),
      request: (task) => {
        if (task === 1) throw new Error('not asked')
        return task === 2 ? Promise.reject(new Error('not answered')) : Promise.resolve(task)
      },
      read: (task) => {
        if (task === 3) throw new Error('not usable')
        return task
      },
      leaveOut: (task, error) => told.push(`${task} ${String(error)}`),
      finish: ({ kind }) => ({ summary: kind }),
    })
    expect((await drain(pool)).values).toEqual([4])
    expect(told).toEqual(['1 Error: not asked', '2 Error: not answered', '3 Error: not usable'])
    expect(await pool.next()).toEqual({ done: true, value: 'done' })
  })

  it.each([true, false])('delivers nothing that comes after it was stopped, ordered %s', async (ordered) => {
    const { pool } = poolOf({ lanes: [[[1, 2, 3, 4]]], ordered, turns: (task) => task })
    expect(await pool.next()).toEqual({ done: false, value: 1 })
    pool.stop({ kind: 'failed', error: 'enough' })
    await settle()
    expect(await drain(pool)).toEqual({ values: [], error: 'enough' })
  })
})

/** The same lanes with tasks numbered from 0, so that each is unique. */
function numbered(lanes: Plan['lanes']): number[][][] {
  let next = 0
  return lanes.map((batches) => batches.map((batch) => batch.map(() => next++)))
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 150; turn++) await new Promise(setImmediate)
}
