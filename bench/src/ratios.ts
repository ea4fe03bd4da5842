import type { Comparison } from './report.js'
import type { Result } from './results.js'

/** How long one contender takes, in lengths of the contender that it is judged by. */
export interface Ratio {
  readonly benchmark: string
  readonly title: string
  readonly contender: string
  /** The limit of the comparison, or its baseline where it has no limit. */
  readonly judgedBy: string
  readonly ratio: number
  /** How far the ratio may be off, as a share of it: what both contenders vary by from round to round. */
  readonly noise: number
}

export interface Regression {
  readonly before: Ratio
  readonly after: Ratio
}

/** Ratios survive a change of the machine; times do not. */
export function ratiosOf({ name: benchmark, comparisons }: Result): readonly Ratio[] {
  return comparisons.flatMap((comparison) => ratiosIn(benchmark, comparison))
}

function ratiosIn(benchmark: string, { title, measurements, limit, baseline }: Comparison): readonly Ratio[] {
  const judge = measurements.find(({ name }) => name === (limit ?? baseline))
  if (judge === undefined) return []
  return measurements
    .filter(({ name }) => name !== limit && name !== baseline)
    .map((measurement) => ({
      benchmark,
      title,
      contender: measurement.name,
      judgedBy: judge.name,
      ratio: measurement.wallUs.median / judge.wallUs.median,
      noise: variationOf(measurement.wallUs) + variationOf(judge.wallUs),
    }))
}

/** The slow side is left out: there a neighbour on the machine has no bound. */
function variationOf({ median, minimum }: { readonly median: number; readonly minimum: number }): number {
  return (median - minimum) / median
}

/** Less than this is never called a regression, however steady the rounds: between two runs a machine varies as well. */
const SMALLEST_REGRESSION = 0.1

/** The ratios that became worse by more than the noise of both runs. Contenders and inputs that only one run has are passed over. */
export function regressionsBetween(before: readonly Ratio[], after: readonly Ratio[]): readonly Regression[] {
  const known = new Map(before.map((ratio) => [keyOf(ratio), ratio]))
  return after.flatMap((ratio) => {
    const earlier = known.get(keyOf(ratio))
    if (earlier === undefined) return []
    const allowed = Math.max(SMALLEST_REGRESSION, earlier.noise + ratio.noise)
    return ratio.ratio > earlier.ratio * (1 + allowed) ? [{ before: earlier, after: ratio }] : []
  })
}

function keyOf({ benchmark, title, contender, judgedBy }: Ratio): string {
  return JSON.stringify([benchmark, title, contender, judgedBy])
}
