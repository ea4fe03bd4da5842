import type { Awaitable } from '../awaitable.js'
import type { StoredSession } from './stored-session.js'

/** How a session is to be written. */
export interface SessionWrite {
  /** The version that must be there now; 0 for none. */
  readonly expectedVersion: number
  /** How long to keep it, milliseconds. */
  readonly ttlMs: number
}

/** Where sessions are kept. */
export interface SessionStore {
  read(id: string): Awaitable<StoredSession | undefined>
  /**
   * Writes, unless another version than the expected one is there: then it changes nothing and gives false. In one atomic
   * step, wherever processes share the store: what keeps two of them from both taking the last turn.
   */
  write(id: string, session: StoredSession, options: SessionWrite): Awaitable<boolean>
  /** How many there are, where that can be told cheaply. */
  count?(): Awaitable<number>
}
