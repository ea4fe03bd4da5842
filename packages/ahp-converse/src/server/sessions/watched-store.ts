import { asFailureOf } from '../as-failure-of.js'
import type { SessionStore } from './session-store.js'

/** The same store, whose failures are told from those of whoever answers. */
export function watchedStore(store: SessionStore): SessionStore {
  return {
    read: (id) => asFailureOf('state', () => store.read(id)),
    write: (id, session, options) => asFailureOf('state', () => store.write(id, session, options)),
    ...(store.count === undefined ? {} : { count: () => asFailureOf('state', () => store.count?.() ?? 0) }),
  }
}
