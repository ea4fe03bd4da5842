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
  /** Stays in its place: one move for each request would leave a trail of outgrown tables in memory. */
  #newest: { readonly origin: string; readonly pool: Dispatcher } | undefined

  constructor(createPool: (origin: string) => Dispatcher) {
    this.#createPool = createPool
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const origin = String(options.origin)
    if (this.#newest?.origin !== origin) this.#newest = { origin, pool: this.#use(origin) }
    this.#newest.pool.dispatch(options, handler)
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    this.#newest = undefined
    await Promise.all(pools.map((pool) => pool.close()))
  }

  #use(origin: string): Dispatcher {
    const pool = this.#pools.get(origin) ?? this.#createPool(origin)
    this.#pools.delete(origin)
    this.#pools.set(origin, pool)
    if (this.#pools.size > MAX_POOLS) this.#closeOldest()
    return pool
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
