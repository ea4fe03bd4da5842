import { LRUCache } from 'lru-cache'
import { sessionBytes } from './session-bytes.js'
import type { SessionStore } from './session-store.js'
import type { StoredSession } from './stored-session.js'

export interface MemorySessionStoreOptions {
  readonly maxSessions: number
  readonly maxBytes: number
  readonly now: () => number
}

/**
 * Sessions in this process. When there are too many or they are too large, the one that was not used for longest ends: its
 * visitor is told that the session is unknown and starts a new one.
 */
export function createMemorySessionStore({
  maxSessions,
  maxBytes,
  now,
}: MemorySessionStoreOptions): SessionStore {
  const sessions = new LRUCache<string, StoredSession>({
    max: maxSessions,
    maxSize: maxBytes,
    sizeCalculation: sessionBytes,
  })

  /** Those that have ended are mostly the ones that were not used for longest. */
  function dropEnded(time: number): void {
    for (const id of sessions.rkeys()) {
      if ((sessions.peek(id)?.expiresAt ?? 0) > time) return
      sessions.delete(id)
    }
  }

  return {
    read: (id) => sessions.get(id),
    write(id, session, { expectedVersion }) {
      if ((sessions.peek(id)?.version ?? 0) !== expectedVersion) return false
      dropEnded(now())
      sessions.set(id, session)
      return true
    },
    count() {
      dropEnded(now())
      return sessions.size
    },
  }
}
