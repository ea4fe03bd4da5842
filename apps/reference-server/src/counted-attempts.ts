import type { RateCount, RateStore } from '@doorplate/ahp-converse/server'

/** So many in a period: `20/hour`. */
export type Rate = `${number}/${keyof typeof WINDOW_SECONDS}`

/** What somebody has done in a period, against how much of it is allowed. */
export interface Attempts {
  /** More than the rate allows. */
  readonly areTooMany: boolean
  /** Until the period ends, at least 1. */
  readonly retryAfterSeconds: number
}

export interface AttemptCounter {
  /** Counts one more. */
  add(key: string, rate: Rate): Promise<Attempts>
  /** As if one more were counted. */
  peek(key: string, rate: Rate): Promise<Attempts>
}

export interface AttemptCounterOptions {
  /** What is counted, for the log. */
  readonly what: string
  /** Where all processes of this site count. Default: in this process. */
  readonly counts?: RateStore | undefined
  /** Takes one line about a fault of this server. */
  readonly log: (line: string) => void
}

const WINDOW_SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const

/** While the shared counts are away those of this process do: a limit is still a limit. */
export function createAttemptCounter({ what, counts, log }: AttemptCounterOptions): AttemptCounter {
  let ownCounts: Promise<RateStore> | undefined

  async function inStore<Result>(step: (store: RateStore) => Result | Promise<Result>): Promise<Result> {
    try {
      if (counts) return await step(counts)
    } catch (error) {
      log(`${what} are counted in this process alone: ${String(error)}`)
    }
    // Of all its limiters one is used, once there is something to count.
    ownCounts ??= import('rate-limiter-flexible').then(
      ({ RateLimiterMemory }) => new RateLimiterMemory({ points: 1, duration: 1 }),
    )
    return step(await ownCounts)
  }

  return {
    async add(key, rate) {
      const customDuration = windowOf(rate)
      return attemptsOf(await inStore((store) => store.penalty(key, 1, { customDuration })), rate)
    },
    async peek(key, rate) {
      const { consumedPoints = 0, msBeforeNext = windowOf(rate) * 1000 } =
        (await inStore((store) => store.get(key))) ?? {}
      return attemptsOf({ consumedPoints: consumedPoints + 1, msBeforeNext }, rate)
    },
  }
}

function attemptsOf({ consumedPoints, msBeforeNext }: RateCount, rate: Rate): Attempts {
  const [allowed = ''] = rate.split('/')
  return {
    areTooMany: consumedPoints > Number(allowed),
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  }
}

function windowOf(rate: Rate): number {
  const [, window = 'hour'] = rate.split('/')
  return WINDOW_SECONDS[window as keyof typeof WINDOW_SECONDS]
}
