import { invalidOption } from '../../converse-error.js'

const PERIOD_SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const

type Period = keyof typeof PERIOD_SECONDS

/** So many requests in a period, as the manifest declares it: `30/minute`. */
export type RateText = `${number}/${Period}`

export interface Rate {
  /** As it was given. */
  readonly text: RateText
  readonly requests: number
  readonly windowSeconds: number
}

/** Throws `invalid_option`. */
export function readRate(option: string, text: unknown): Rate {
  const match = typeof text === 'string' ? /^([1-9]\d{0,8})\/(second|minute|hour|day)$/.exec(text) : null
  if (match === null) throw invalidOption(option, 'must be a rate such as 30/minute')
  return {
    text: text as RateText,
    requests: Number(match[1]),
    windowSeconds: PERIOD_SECONDS[match[2] as Period],
  }
}

/** The one that allows less in the long run. */
export function slowerRate(one: Rate, other: Rate): Rate {
  return one.requests / one.windowSeconds <= other.requests / other.windowSeconds ? one : other
}
