import { addressBucket } from './address-bucket.js'
import type { Admission, RateLimits, RateRefusal } from './rate-limits.js'

/** Leave to check one credential; `leave` is called when it has been checked, and counted if it was nobody's. */
export interface Guess extends Admission {
  leave(): void
}

interface Gate {
  underWay: number
  /** First come, first served. */
  readonly waiting: (() => void)[]
}

/**
 * Lets an address try as many credentials as its limit has left, those under way included: tried all at once, none would have
 * been counted yet. More of them wait, as they may all be good.
 */
export function createGuessGate(limits: RateLimits): (address: string) => Promise<Guess | RateRefusal> {
  const gates = new Map<string, Gate>()

  function wakeNext(key: string, gate: Gate): void {
    const next = gate.waiting.shift()
    if (next !== undefined) next()
    else if (gate.underWay === 0) gates.delete(key)
  }

  return async function enter(address) {
    const key = addressBucket(address)
    for (;;) {
      const verdict = await limits.peek({ address }, 'credential')
      const gate = gates.get(key) ?? { underWay: 0, waiting: [] }
      if (!verdict.allowed) {
        wakeNext(key, gate)
        return verdict
      }
      if (gate.underWay <= verdict.remaining) {
        gate.underWay++
        gates.set(key, gate)
        return {
          ...verdict,
          leave() {
            gate.underWay--
            wakeNext(key, gate)
          },
        }
      }
      await new Promise<void>((resolve) => gate.waiting.push(resolve))
    }
  }
}
