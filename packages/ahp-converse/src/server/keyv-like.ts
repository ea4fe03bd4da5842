/** What is used of a Keyv. */
export interface KeyvLike {
  get(key: string): Promise<unknown>
  /** @param ttlMs how long to keep it, milliseconds */
  set(key: string, value: unknown, ttlMs: number): Promise<unknown>
}
