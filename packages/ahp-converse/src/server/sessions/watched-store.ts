import { asFailureOfState } from '../as-failure-of-state.js'
import type { SessionStore } from './session-store.js'

/** The same store, whose failures are told from those of whoever answers. */
export function watchedStore(store: SessionStore): SessionStore {
  return {
    read: (id) => asFailureOfState(() => store.read(id)),
    write: (id, session, options) => asFailureOfState(() => store.write(id, session, options)),
  }
}
