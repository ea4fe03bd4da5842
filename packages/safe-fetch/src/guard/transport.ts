import { createGuardedDispatcher } from './guarded-dispatcher.js'
import type { Lifetime } from '../lifetime/lifetime.js'
import type { Policy } from '../options/options.js'
import type { HopDispatcher } from './origin-pools.js'
import { loadUndici } from './undici.js'

/** The connections of one policy, made when first needed. */
export interface Transport {
  /** For a call, until its life ends. A promise only until they are made, so that later requests leave at once. */
  open(lifetime: Lifetime): HopDispatcher | Promise<HopDispatcher>
  /** Closes them when the last of their calls has ended: a call may need more of them for its next hop. */
  close(): Promise<void>
}

export function createTransport(policy: Policy): Transport {
  let current: SharedDispatcher | undefined
  return {
    open: (lifetime) => (current ??= new SharedDispatcher(policy)).open(lifetime),
    close: async () => {
      const closing = current
      current = undefined
      await closing?.close()
    },
  }
}

class SharedDispatcher {
  readonly #opening: Promise<HopDispatcher>
  #opened: HopDispatcher | undefined
  #calls = 0
  #onIdle: (() => void) | undefined

  constructor(policy: Policy) {
    this.#opening = loadUndici().then((undici) => (this.#opened = createGuardedDispatcher(undici, policy)))
  }

  open(lifetime: Lifetime): HopDispatcher | Promise<HopDispatcher> {
    this.#calls++
    lifetime.watch(this.#leave)
    return this.#opened ?? this.#opening
  }

  async close(): Promise<void> {
    const dispatcher = await this.#opening
    if (this.#calls > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    await dispatcher.close()
  }

  readonly #leave = (): void => {
    if (--this.#calls === 0) this.#onIdle?.()
  }
}
