import { createGuardedDispatcher } from './guarded-dispatcher.js'
import type { Policy } from './options.js'
import type { HopDispatcher } from './origin-pools.js'
import { loadUndici } from './undici.js'

/** The connections of one policy, made when first needed. */
export interface Transport {
  /** A promise only until they are made, so that later requests leave at once. */
  open(): HopDispatcher | Promise<HopDispatcher>
  close(): Promise<void>
}

export function createTransport(policy: Policy): Transport {
  let opening: Promise<HopDispatcher> | undefined
  let opened: HopDispatcher | undefined
  return {
    open: () => opened ?? open(),
    close: async () => {
      const closing = opening
      opening = undefined
      opened = undefined
      await (await closing)?.close()
    },
  }

  async function open(): Promise<HopDispatcher> {
    const current = (opening ??= loadUndici().then((undici) => createGuardedDispatcher(undici, policy)))
    const dispatcher = await current
    if (opening === current) opened = dispatcher
    return dispatcher
  }
}
