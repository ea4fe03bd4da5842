import { asFailureOfState } from '../as-failure-of-state.js'
import type { JobStore } from './job-store.js'

/** The same store, whose failures are told from those of whoever answers. */
export function watchedJobStore(store: JobStore): JobStore {
  const { subscribe } = store
  return {
    add: (job, limits) => asFailureOfState(() => store.add(job, limits)),
    read: (id) => asFailureOfState(() => store.read(id)),
    find: (key) => asFailureOfState(() => store.find(key)),
    update: (job, options) => asFailureOfState(() => store.update(job, options)),
    claim: (claim) => asFailureOfState(() => store.claim(claim)),
    renew: (leases, options) => asFailureOfState(() => store.renew(leases, options)),
    list: (options) => asFailureOfState(() => store.list(options)),
    overdue: (options) => asFailureOfState(() => store.overdue(options)),
    prune: (options) => asFailureOfState(() => store.prune(options)),
    ...(subscribe === undefined ? {} : { subscribe: (listener) => subscribe.call(store, listener) }),
  }
}
