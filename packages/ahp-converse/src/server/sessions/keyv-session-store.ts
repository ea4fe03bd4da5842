import type { KeyvLike } from '../keyv-like.js'
import type { SessionStore } from './session-store.js'
import type { StoredSession } from './stored-session.js'

/**
 * Sessions in any Keyv. Its stores know no conditional write, so that two processes could both take the last turn of a session:
 * send the requests of a session to one process. Make the Keyv with `throwOnErrors`, or a failing store looks like one that
 * has forgotten every session.
 */
export function createKeyvSessionStore(keyv: KeyvLike): SessionStore {
  const read = async (id: string): Promise<StoredSession | undefined> =>
    (await keyv.get(`session:${id}`)) as StoredSession | undefined
  return {
    read,
    async write(id, session, { expectedVersion, ttlMs }) {
      if (((await read(id))?.version ?? 0) !== expectedVersion) return false
      await keyv.set(`session:${id}`, session, ttlMs)
      return true
    },
  }
}
