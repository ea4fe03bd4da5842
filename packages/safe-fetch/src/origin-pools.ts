import type { Dispatcher } from 'undici'

/** Origins whose connections are kept at a time; beyond it the pool used least recently is closed. */
const MAX_POOLS = 1_024

/** Where hops are sent. */
export interface HopDispatcher {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown
  close(): Promise<void>
}

/** One pool for each origin, so that visiting ever more origins does not keep ever more sockets open. */
export class OriginPools implements HopDispatcher {
  readonly #createPool: (origin: string) => Dispatcher
  /** Least recently used first. */
  readonly #pools = new Map<string, Dispatcher>()

  constructor(createPool: (origin: string) => Dispatcher) {
    this.#createPool = createPool
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const origin = String(options.origin)
    const pool = this.#pools.get(origin) ?? this.#createPool(origin)
    this.#pools.delete(origin)
    this.#pools.set(origin, pool)
    if (this.#pools.size > MAX_POOLS) this.#closeOldest()
    pool.dispatch(options, handler)
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(pools.map((pool) => pool.close()))
  }

  /** Its requests under way are finished first. */
  #closeOldest(): void {
    for (const [origin, pool] of this.#pools) {
      this.#pools.delete(origin)
      void pool.close()
      return
    }
  }
}
