import type { Reading } from './reading.js'

/** The state of a limit as a question was told it. */
export interface ToldLimit {
  /** By the clock of the run. */
  readonly atMs: number
  /** Limits of one kind are counted together: those of questions with or without a credential. */
  readonly kind: string
  readonly limit: number
  readonly remaining: number
  readonly windowSeconds: number
}

/** Undefined where nothing is told, and of what is no answered question. */
export function toldLimit(reading: Reading, atMs: number): ToldLimit | undefined {
  const { endpoint, request, headers, status = 0 } = reading
  const [limit = Number.NaN, remaining = Number.NaN, windowSeconds = Number.NaN] = FIELDS.map((name) =>
    /^\d{1,12}$/.test(headers[name] ?? '') ? Number(headers[name]) : Number.NaN,
  )
  if (endpoint !== 'converse' || request.method !== 'POST' || status >= 300) return undefined
  if (Number.isNaN(limit + remaining + windowSeconds)) return undefined
  const isIdentified = ['authorization', 'x-ahp-key'].some((name) => request.headers?.[name] !== undefined)
  return {
    atMs,
    kind: `${limit} in ${windowSeconds}${isIdentified ? ' identified' : ''}`,
    limit,
    remaining,
    windowSeconds,
  }
}

const FIELDS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-window']

/**
 * Whether what is left of a limit stays as it is although it is used up: true, false, or undefined where questions came so
 * slowly that a limit that is refilled all the time would show the same.
 */
export function staysFull(told: readonly ToldLimit[]): boolean | undefined {
  const falls = told.some(({ remaining }, index) => remaining < (told[index - 1]?.remaining ?? 0))
  if (falls) return false
  const isDense = told.some((first, from) =>
    told.slice(from + 1).some((last, between) => {
      const refilled = ((last.atMs - first.atMs) / 1_000) * (first.limit / first.windowSeconds)
      return between + 1 - refilled >= MIN_USED
    }),
  )
  return isDense ? true : undefined
}

/** One may be lost in rounding, and one in a window that ends. */
const MIN_USED = 3
