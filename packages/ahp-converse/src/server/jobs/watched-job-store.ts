import { asFailureOf } from '../as-failure-of.js'
import type { JobStore } from './job-store.js'

/** The same store, whose failures are told from those of whoever answers. */
export function watchedJobStore(store: JobStore): JobStore {
  return {
    add: (job, limits) => asFailureOf('state', () => store.add(job, limits)),
    read: (id) => asFailureOf('state', () => store.read(id)),
    find: (key) => asFailureOf('state', () => store.find(key)),
    update: (job, options) => asFailureOf('state', () => store.update(job, options)),
    remove: (id, options) => asFailureOf('state', () => store.remove(id, options)),
    claim: (claim) => asFailureOf('state', () => store.claim(claim)),
    renew: (leases, options) => asFailureOf('state', () => store.renew(leases, options)),
    list: (options) => asFailureOf('state', () => store.list(options)),
    overdue: (options) => asFailureOf('state', () => store.overdue(options)),
    prune: (options) => asFailureOf('state', () => store.prune(options)),
    count: () => asFailureOf('state', () => store.count()),
    ...(store.subscribe === undefined
      ? {}
      : { subscribe: (listener) => store.subscribe?.(listener) ?? (() => undefined) }),
  }
}
