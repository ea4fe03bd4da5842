import { describe, expect, it } from 'vitest'
import { ratiosOf, regressionsBetween } from './ratios.js'
import type { Result } from './results.js'

/** A result in which ours takes `median` where the limit takes 100, each `variation` faster at its best. */
function result(median: number, variation = 0): Result {
  const measurement = (name: string, us: number): Result['comparisons'][number]['measurements'][number] => ({
    name,
    runsPerRound: 1,
    wallUs: { median: us, minimum: us * (1 - variation), maximum: us * 3 },
    cpuUs: null,
  })
  const measurements = [measurement('ours', median), measurement('bare', 100)]
  const comparisons = [{ title: 'Input', measurements, limit: 'bare' }]
  return { name: 'walk', measuredAt: '2026-01-01T00:00:00Z', environment: {}, comparisons, figures: [] }
}

const between = (before: Result, after: Result): number =>
  regressionsBetween(ratiosOf(before), ratiosOf(after)).length

describe('regressionsBetween', () => {
  it('sees a ratio that became worse', () => {
    expect(ratiosOf(result(150))).toMatchObject([
      { contender: 'ours', judgedBy: 'bare', ratio: 1.5, noise: 0 },
    ])
    expect(between(result(150), result(166))).toBe(1)
    expect(between(result(150), result(164))).toBe(0)
    expect(between(result(166), result(150))).toBe(0)
  })

  it('allows what both runs vary by', () => {
    expect(between(result(150, 0.05), result(175, 0.05))).toBe(0)
    expect(between(result(150, 0.05), result(185, 0.05))).toBe(1)
  })

  it('passes over what only one run has', () => {
    const other = { ...result(900), name: 'another' }
    expect(between(result(150), other)).toBe(0)
  })
})
