import { expect, it } from 'vitest'
import { inspectionDeadlineMs } from './inspection-deadline.js'

it('is short where the suites judge a site of somebody else', () => {
  const plans = [
    { isOwnSite: true, suites: true },
    { isOwnSite: false, suites: true },
    { isOwnSite: true, suites: false },
    { isOwnSite: false, suites: false },
  ]
  expect(plans.map(inspectionDeadlineMs)).toEqual([600_000, 180_000, 90_000, 90_000])
})
