import type { Dispatcher } from 'undici'

import { createGuardedAgent } from './guarded-agent.js'
import type { Policy } from './options.js'
import { loadUndici } from './undici.js'

/** The connections of one policy, made when first needed. */
export interface Transport {
  open(): Promise<Dispatcher>
  close(): Promise<void>
}

export function createTransport(policy: Policy): Transport {
  let agent: Promise<Dispatcher> | undefined
  return {
    open: () => (agent ??= loadUndici().then((undici) => createGuardedAgent(undici, policy))),
    close: async () => {
      const closing = agent
      agent = undefined
      await (await closing)?.close()
    },
  }
}
