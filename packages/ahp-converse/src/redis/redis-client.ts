/** What is used of a client of `ioredis`: a `Redis` or a `Cluster`. */
export interface RedisClient {
  readonly status: string
  once(event: 'ready', listener: () => void): unknown
  get(key: string): Promise<string | null>
  set(key: string, value: string, unit: 'PX', milliseconds: number): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndValues: readonly (string | number)[]): Promise<unknown>
  evalsha(digest: string, keyCount: number, ...keysAndValues: readonly (string | number)[]): Promise<unknown>
}
