import { expect, it } from 'vitest'
import { LIMITS, newJob, OWNERS } from '../../../test/job-steps.js'
import { createMemoryJobStore } from './memory-job-store.js'

it('finds what is due although nothing was before', async () => {
  const store = createMemoryJobStore()
  const claim = { queue: 'work', leaseMs: 600, limit: 1 } as const
  for (const at of [2, 1, 3])
    await store.add(newJob({ at, owner: OWNERS[0], hasKey: false, queue: 'work' }), LIMITS)
  const ids = async (now: number): Promise<readonly string[]> =>
    (await store.claim({ ...claim, now })).map(({ id }) => id)
  expect(await ids(999)).toEqual([])
  expect(await ids(1_000)).toEqual(['job-1'])
  expect(await ids(1_500)).toEqual([])
  expect(await ids(2_500)).toEqual(['job-1'])
  expect(await ids(2_500)).toEqual(['job-2'])
})
