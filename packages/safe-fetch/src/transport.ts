import { createGuardedDispatcher } from './guarded-dispatcher.js'
import type { Policy } from './options.js'
import type { HopDispatcher } from './origin-pools.js'
import { loadUndici } from './undici.js'

/** The connections of one policy, made when first needed. */
export interface Transport {
  open(): Promise<HopDispatcher>
  close(): Promise<void>
}

export function createTransport(policy: Policy): Transport {
  let opened: Promise<HopDispatcher> | undefined
  return {
    open: () => (opened ??= loadUndici().then((undici) => createGuardedDispatcher(undici, policy))),
    close: async () => {
      const closing = opened
      opened = undefined
      await (await closing)?.close()
    },
  }
}
