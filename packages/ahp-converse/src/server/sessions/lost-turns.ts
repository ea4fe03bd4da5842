import { LRUCache } from 'lru-cache'
import { sessionBytes } from './session-bytes.js'
import type { StoredSession } from './stored-session.js'

/** Turns that nobody had and that a store may have counted: it failed, or its reply was lost. */
export interface LostTurns {
  /** @param turnId that was to be written over the session */
  note(turnId: string, before: StoredSession): void
  /** The session without the turn that it was last written for, if that is one of these. */
  without(session: StoredSession): StoredSession
}

/** More are forgotten: they stay counted. */
const MAX_LOST = 1000
/** Of their sessions, estimated. */
const MAX_BYTES = 8 * 1024 * 1024

export function createLostTurns(): LostTurns {
  const lost = new LRUCache<string, StoredSession>({
    max: MAX_LOST,
    maxSize: MAX_BYTES,
    sizeCalculation: sessionBytes,
  })
  return {
    note(turnId, before) {
      lost.set(turnId, before)
    },
    without(session) {
      const before = session.turnId === undefined ? undefined : lost.get(session.turnId)
      if (before === undefined) return session
      const { version, expiresAt } = session
      const givenBack = (before.givenBack ?? 0) + version - before.version
      return { ...before, version, expiresAt, givenBack }
    },
  }
}
