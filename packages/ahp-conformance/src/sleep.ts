import { setTimeout } from 'node:timers/promises'

/** Waits; rejects with the reason of the signal when that is aborted. */
export type Sleep = (delayMs: number, signal: AbortSignal) => Promise<void>

export const sleep: Sleep = async (delayMs, signal) => {
  try {
    await setTimeout(delayMs, undefined, { signal })
  } catch {
    signal.throwIfAborted()
  }
}
