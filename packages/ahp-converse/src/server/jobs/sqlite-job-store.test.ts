import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anyStep, end, LIMITS, newJob, OWNERS, seen } from '../../../test/job-steps.js'
import { createMemoryJobStore } from './memory-job-store.js'
import { createSqliteJobStore, type SqliteJobStore } from './sqlite-job-store.js'

let folder: string
let files = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobs-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function open(file = `${++files}.db`): SqliteJobStore & { readonly file: string } {
  return { ...createSqliteJobStore(join(folder, file), { survives: 'process' }), file }
}

const WISH = { at: 1, owner: OWNERS[0], hasKey: true, queue: 'work' } as const

it('keeps jobs as memory does, whatever is done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { minLength: 40, maxLength: 80 }), async (steps) => {
      const model = createMemoryJobStore()
      const store = createSqliteJobStore(':memory:')
      for (const step of steps) expect(await seen(step(store))).toEqual(await seen(step(model)))
      store.close()
    }),
    { numRuns: 100 },
  )
})

it('keeps jobs in the file, and counts those that it finds there', async () => {
  const first = open()
  await first.add(newJob(WISH), LIMITS)
  first.close()
  const second = open(first.file)
  expect(await second.read('job-1')).toEqual(newJob(WISH))
  expect(await second.add(newJob({ ...WISH, at: 2 }), { ...LIMITS, maxJobs: 1 })).toEqual({
    outcome: 'too_many',
    scope: 'store',
  })
  second.close()
})

it('gives a job to one of two who share the file', async () => {
  const one = open()
  const other = open(one.file)
  await one.add(newJob(WISH), LIMITS)
  const claim = { queue: 'work', now: 5_000, leaseMs: 3_000, limit: 5 } as const
  const claimed = [await one.claim(claim), await other.claim(claim)]
  expect(claimed.map((jobs) => jobs.length)).toEqual([1, 0])
  const [[job]] = claimed as [[{ version: number }], unknown]
  const late = await other.claim({ ...claim, now: 8_000 })
  expect(late.map(({ version }) => version)).toEqual([job.version + 1])
  const ended = end(
    { ...newJob(WISH), version: job.version + 1 },
    { at: 9, state: 'success', queue: undefined },
  )
  expect(await one.update(ended, { expectedVersion: job.version })).toBe(false)
  one.close()
  other.close()
})
