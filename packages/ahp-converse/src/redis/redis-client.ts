/** What is used of a client of `ioredis`: a `Redis` or a `Cluster`. */
export interface RedisClient {
  readonly status: string
  once(event: 'ready', listener: () => void): unknown
  /** Another connection, for what is told; where there is none, processes look once a second. */
  duplicate?(options: {
    readonly enableOfflineQueue: boolean
    readonly maxRetriesPerRequest: null
  }): RedisSubscriber
  get(key: string): Promise<string | null>
  set(key: string, value: string, unit: 'PX', milliseconds: number): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndValues: readonly (string | number)[]): Promise<unknown>
  evalsha(digest: string, keyCount: number, ...keysAndValues: readonly (string | number)[]): Promise<unknown>
}

/** What is used of a connection that listens. */
export interface RedisSubscriber {
  subscribe(channel: string): Promise<unknown>
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  disconnect(): void
}
