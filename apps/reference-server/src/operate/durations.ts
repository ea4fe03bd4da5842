import type { Metric, Registry } from 'prom-client'

/** How long things of one kind took. */
export interface Durations {
  add(ms: number): void
}

export interface DurationsOptions {
  readonly name: string
  readonly help: string
  readonly labelName: string
}

/** Upper bounds, seconds. */
const BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

/**
 * A histogram of Prometheus for each value of a label. To add to it is to add to three numbers: those of the library look
 * their labels up with every addition, which costs a small answer as much as what is measured.
 */
export function createDurations(
  registry: Registry,
  { name, help, labelName }: DurationsOptions,
): (value: string) => Durations {
  const all = new Map<string, Tally>()
  registry.registerMetric({
    name,
    get: () => Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
  } as unknown as Metric)

  function values(): Sample[] {
    return [...all].flatMap(([value, tally]) => samplesOf(tally, { [labelName]: value }, name))
  }

  return (value) => {
    let tally = all.get(value)
    if (tally === undefined) {
      tally = createTally()
      all.set(value, tally)
    }
    return tally
  }
}

interface Tally extends Durations {
  /** As many as are within each bound and not within the one before; the last are beyond all. */
  readonly counts: readonly number[]
  sumMs: number
}

function createTally(): Tally {
  const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0)
  const tally: Tally = {
    counts,
    sumMs: 0,
    add(ms) {
      let place = 0
      while (ms / 1000 > (BOUNDS[place] ?? Infinity)) place++
      counts[place] = (counts[place] ?? 0) + 1
      tally.sumMs += ms
    },
  }
  return tally
}

interface Sample {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

function samplesOf({ counts, sumMs }: Tally, labels: Sample['labels'], name: string): Sample[] {
  let count = 0
  const buckets = counts.map((more, place) => {
    count += more
    return {
      metricName: `${name}_bucket`,
      labels: { le: String(BOUNDS[place] ?? '+Inf'), ...labels },
      value: count,
    }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
