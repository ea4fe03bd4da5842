import { setTimeout as timer } from 'node:timers/promises'

/** Waits; rejects with the signal's own reason when it aborts. */
export type Sleep = (delayMs: number, signal: AbortSignal | undefined) => Promise<void>

/** By the timers of the platform. `delayMs` at most 2^31 - 1. */
export async function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await timer(delayMs, undefined, { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
