import { createMemoryRateStore } from '../limits/rate-store.js'

export interface ReceiverGateOptions {
  readonly maxConcurrentPerReceiver: number
  readonly maxPerReceiverPerMinute: number
  readonly now: () => number
  /** A number from 0 to 1. */
  readonly fraction: () => number
}

/** Lets an attempt through, until `leave` is called, or says when to try again. */
export type Admission = { readonly leave: () => void } | { readonly retryAfterMs: number }

/** Keeps a site from being used to flood others: names that lead to them can be handed in by anyone with a secret. */
export interface ReceiverGate {
  /** `receivers` are all that an attempt is for; each has the limits for itself. */
  enter(receivers: readonly string[]): Admission
}

const MAX_RECEIVERS = 10_000
/** While others are being delivered. The spread keeps those that wait from coming back all at once. */
const BUSY_MS = 1000
const BUSY_SPREAD = 4
const WINDOW = { customDuration: 60 } as const

export function createReceiverGate(options: ReceiverGateOptions): ReceiverGate {
  const { maxConcurrentPerReceiver, maxPerReceiverPerMinute, now, fraction } = options
  const underWay = new Map<string, number>()
  const counts = createMemoryRateStore({ maxKeys: MAX_RECEIVERS, now })

  /** How long until the limit of a minute has room again; 0 when it has. */
  function waitMs(receiver: string): number {
    const { consumedPoints, msBeforeNext } = counts.get(receiver) ?? { consumedPoints: 0, msBeforeNext: 0 }
    // A window that lasts longer than a minute is from before the clock was set back.
    const isFull = consumedPoints >= maxPerReceiverPerMinute && msBeforeNext <= WINDOW.customDuration * 1000
    return isFull ? msBeforeNext * (1 + fraction()) : 0
  }

  function change(receiver: string, by: 1 | -1): void {
    const count = (underWay.get(receiver) ?? 0) + by
    if (count === 0) underWay.delete(receiver)
    else underWay.set(receiver, count)
  }

  return {
    enter(receivers) {
      if (receivers.some((receiver) => (underWay.get(receiver) ?? 0) >= maxConcurrentPerReceiver))
        return { retryAfterMs: Math.ceil(BUSY_MS * (1 + BUSY_SPREAD * fraction())) }
      const retryAfterMs = Math.ceil(Math.max(...receivers.map(waitMs)))
      if (retryAfterMs > 0) return { retryAfterMs }
      // Not before all have room: what is refused for one counts against none.
      for (const receiver of receivers) {
        counts.penalty(receiver, 1, WINDOW)
        change(receiver, 1)
      }
      return {
        leave() {
          for (const receiver of receivers) change(receiver, -1)
        },
      }
    },
  }
}
