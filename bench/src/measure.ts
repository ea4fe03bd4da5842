import { performance } from 'node:perf_hooks'

/** One way of doing the work. Contenders measured together must do the same job. */
export interface Contender {
  readonly name: string
  /** Does the work once; a promise is awaited. */
  readonly run: () => unknown
  /** What one `run` counts for, for example 5,000 when it crawls 5,000 entities. Default 1. */
  readonly operationsPerRun?: number
  /** Cumulative CPU clock, in milliseconds, of the process that does the work. Default: this process; null: unknown. */
  readonly cpuMs?: (() => number) | null
}

export interface MeasureOptions {
  /** Timed rounds for each contender. Default 11. */
  readonly rounds?: number
  /** Untimed running before the first round, for each contender. Default 400. */
  readonly warmUpMs?: number
  /** About how long a timed round lasts; at least one run. Default 100. */
  readonly roundMs?: number
}

export interface Spread {
  readonly median: number
  readonly minimum: number
  readonly maximum: number
}

/** Microseconds for one operation, over all rounds; CPU time is null where no clock is known. */
export interface Measurement {
  readonly name: string
  readonly runsPerRound: number
  readonly wallUs: Spread
  readonly cpuUs: Spread | null
}

/** Measures in rounds A B C, C B A, A B C, ... so that a slow drift of the machine meets every contender alike. */
export async function measure(
  contenders: readonly Contender[],
  options: MeasureOptions = {},
): Promise<readonly Measurement[]> {
  const { rounds = 11, warmUpMs = 400, roundMs = 100 } = options
  const tracks: Track[] = []
  for (const contender of contenders) {
    const runMs = await warmUp(contender, warmUpMs)
    tracks.push({ contender, runsPerRound: Math.max(1, Math.round(roundMs / runMs)), wallUs: [], cpuUs: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const track of round % 2 === 0 ? tracks : tracks.toReversed()) await timeRound(track)
  }
  return tracks.map(({ contender, runsPerRound, wallUs, cpuUs }) => ({
    name: contender.name,
    runsPerRound,
    wallUs: spread(wallUs),
    cpuUs: contender.cpuMs === null ? null : spread(cpuUs),
  }))
}

interface Track {
  readonly contender: Contender
  readonly runsPerRound: number
  readonly wallUs: number[]
  readonly cpuUs: number[]
}

/** Returns the wall time of one run, in milliseconds. */
async function warmUp(contender: Contender, warmUpMs: number): Promise<number> {
  const start = performance.now()
  let runs = 0
  do {
    await runOnce(contender)
    runs++
  } while (performance.now() - start < warmUpMs)
  return (performance.now() - start) / runs
}

async function timeRound({ contender, runsPerRound, wallUs, cpuUs }: Track): Promise<void> {
  const cpuMs = contender.cpuMs ?? ownCpuMs
  const operations = runsPerRound * (contender.operationsPerRun ?? 1)
  const cpuStart = cpuMs()
  const start = performance.now()
  for (let run = 0; run < runsPerRound; run++) {
    const pending = runOnce(contender)
    if (pending !== undefined) await pending
  }
  wallUs.push(((performance.now() - start) * 1000) / operations)
  cpuUs.push(((cpuMs() - cpuStart) * 1000) / operations)
}

let lastResult: unknown

/** Keeps the last result reachable, so that the engine cannot leave out work whose result nobody reads. */
function runOnce(contender: Contender): Promise<unknown> | undefined {
  lastResult = contender.run()
  return lastResult instanceof Promise ? lastResult : undefined
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? NaN
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? NaN
  return { median: (lower + upper) / 2, minimum: sorted[0] ?? NaN, maximum: sorted.at(-1) ?? NaN }
}
