import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import type { Measurement, Spread } from './measure.js'

/** Contenders that did the same job on the same input, in one run. */
export interface Comparison {
  readonly title: string
  readonly measurements: readonly Measurement[]
  /** Name of the contender that the others should be faster than: what a user has today. */
  readonly baseline?: string
  /** Name of the contender that nobody can beat: the thinnest code that still does the job. */
  readonly limit?: string
}

/** A result that is not a time of one operation, such as a size. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
}

/** Prints Markdown tables and writes `bench/results/<name>.json`. */
export async function report(
  name: string,
  comparisons: readonly Comparison[],
  figures: readonly Figure[] = [],
): Promise<void> {
  const environment = describeEnvironment()
  process.stdout.write(`# ${name}\n\n${Object.values(environment).join(', ')}\n`)
  for (const comparison of comparisons) process.stdout.write(`\n${markdownTable(comparison)}\n`)
  if (figures.length > 0) process.stdout.write(`\n${markdownList(figures)}\n`)
  const folder = new URL('../results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  const content = { name, measuredAt: new Date().toISOString(), environment, comparisons, figures }
  await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(content, null, 2)}\n`)
}

export function markdownTable({ title, measurements, baseline, limit }: Comparison): string {
  const baselineUs = medianOf(measurements, baseline)
  const limitUs = medianOf(measurements, limit)
  const head = ['contender', 'median', 'minimum - maximum', 'CPU']
  if (baselineUs !== undefined) head.push('speed over baseline')
  if (limitUs !== undefined) head.push('time over limit')
  const rows = measurements.map(({ name, wallUs, cpuUs }) => {
    const row = [
      name,
      formatUs(wallUs.median),
      formatRange(wallUs),
      cpuUs === null ? '-' : formatUs(cpuUs.median),
    ]
    if (baselineUs !== undefined) row.push(`x${(baselineUs / wallUs.median).toFixed(2)}`)
    if (limitUs !== undefined) row.push(`x${(wallUs.median / limitUs).toFixed(2)}`)
    return row
  })
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [`## ${title}`, '', ...lines].join('\n')
}

function markdownList(figures: readonly Figure[]): string {
  return figures
    .map(({ name, value, unit }) => `- ${name}: ${Number(value.toPrecision(3))} ${unit}`.trimEnd())
    .join('\n')
}

function medianOf(measurements: readonly Measurement[], name: string | undefined): number | undefined {
  if (name === undefined) return undefined
  const found = measurements.find((measurement) => measurement.name === name)
  if (found === undefined) throw new Error(`No contender is named "${name}".`)
  return found.wallUs.median
}

function formatRange({ minimum, maximum }: Spread): string {
  return `${formatUs(minimum)} - ${formatUs(maximum)}`
}

function formatUs(us: number): string {
  if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`
  if (us >= 1e3) return `${(us / 1e3).toFixed(2)} ms`
  return `${us.toFixed(us >= 100 ? 0 : 2)} us`
}

function describeEnvironment(): Readonly<Record<string, string>> {
  return {
    runtime: `Node ${process.version}`,
    platform: `${process.platform} ${process.arch}`,
    processor: `${cpus()[0]?.model ?? 'unknown processor'} (${availableParallelism()} threads)`,
  }
}
