import { expect, it } from 'vitest'
import { LIMITS, newJob, OWNERS } from '../../../test/job-steps.js'
import { HeldJob } from './held-job.js'
import type { JobStore } from './job-store.js'
import { createMemoryJobStore } from './memory-job-store.js'

const CLAIM = { queue: 'work', now: 1_000, leaseMs: 3_000, limit: 1 } as const

async function hold(): Promise<{ readonly store: JobStore; readonly one: HeldJob }> {
  const store = createMemoryJobStore()
  await store.add(newJob({ at: 1, owner: OWNERS[0], hasKey: false, queue: 'work' }), LIMITS)
  const [job] = await store.claim(CLAIM)
  if (job === undefined) throw new Error('Nothing was claimed.')
  return { store, one: new HeldJob(job, store) }
}

it('changes a job as long as nobody else has claimed it', async () => {
  const { store, one } = await hold()
  expect(await one.change({ note: 'mine' })).toBe(true)
  const [taken] = await store.claim({ ...CLAIM, now: 9_000 })
  expect(taken).toMatchObject({ note: 'mine' })
  expect(one.signal.aborted).toBe(false)
  expect(await one.change({ note: 'still mine' })).toBe(false)
  expect(one.signal.reason).toMatchObject({ name: 'AbortError' })
  expect(await one.drop((job) => job)).toBe(false)
  expect(await store.read('job-1')).toMatchObject({ note: 'mine' })
})

it('does not make a lease shorter that was renewed in the meantime', async () => {
  const { store, one } = await hold()
  const lease = { id: one.job.id, version: one.job.version }
  expect(await store.renew([lease], { dueAt: 7_000 })).toEqual([])
  one.renewed(7_000)
  await one.change({ note: 'x' })
  expect(await store.claim({ ...CLAIM, now: 6_999 })).toEqual([])
  expect(await store.claim({ ...CLAIM, now: 7_000 })).toHaveLength(1)
})

it('makes its changes one after the other, and of progress the last', async () => {
  const { store, one } = await hold()
  one.report({ text: 'one' })
  one.report({ text: 'two' })
  one.report({ text: 'three' })
  expect(await one.change({ note: 'after' })).toBe(true)
  expect(await store.read('job-1')).toMatchObject({ note: 'after', progress: { text: 'three' } })
  expect(await one.latestVersion()).toBe(one.job.version)
})

it('keeps nothing of what it drops', async () => {
  const { store, one } = await hold()
  expect(await one.drop((job) => ({ ...job, note: 'last' }))).toBe(true)
  expect(one.job.note).toBe('last')
  expect(await store.read('job-1')).toBeUndefined()
})
