import { LRUCache } from 'lru-cache'
import type { SessionStore } from './session-store.js'
import type { StoredSession } from './stored-session.js'

export interface MemorySessionStoreOptions {
  readonly maxSessions: number
  readonly maxBytes: number
  readonly now: () => number
}

/** Of a session and of each turn, besides their texts: objects, ids, links of the list. A generous estimate. */
const OVERHEAD_BYTES = 512
const BYTES_PER_CHARACTER = 2

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
    sizeCalculation: sizeOf,
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

function sizeOf({ owner, history, awaiting }: StoredSession): number {
  let characters = owner.length
  for (const { query, answer, sources } of history) {
    characters += query.length + answer.length
    for (const { title, url } of sources) characters += (title?.length ?? 0) + url.length
  }
  if (awaiting !== undefined) characters += JSON.stringify(awaiting).length
  return characters * BYTES_PER_CHARACTER + (history.length + 1) * OVERHEAD_BYTES
}
