import { checkTarget } from './check-target.js'
import type { CheckInit } from './check-target.js'
import { fetchResponse } from './fetch.js'
import { parseOptions } from './options/options.js'
import type { SafeFetchOptions } from './options/options.js'
import { request } from './request.js'
import type { SafeResponse } from './request.js'
import { createInitReader } from './request-init.js'
import type { SafeRequestInit } from './request-init.js'
import { createTransport } from './guard/transport.js'

type Fetch = typeof globalThis.fetch

/** A `fetch` that any library accepting one can be given. */
export interface SafeFetch extends Fetch {
  /** The lean core under the fetch: status, headers and bytes, at a fraction of the cost of a `Response`. */
  readonly request: (url: string | URL, init?: SafeRequestInit) => Promise<SafeResponse>
  /**
   * Judges a URL and the addresses of its name as they are now, without a connection: to refuse early. A call judges them
   * again. Resolves with nothing when a call might go through; rejects as `request` would.
   */
  readonly check: (url: string | URL, init?: CheckInit) => Promise<void>
  /** Closes the connections when the calls under way are done. A later call opens new ones. */
  readonly close: () => Promise<void>
}

/** Makes a fetch with limits, connections and a policy of its own. Throws `invalid_option`. */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const policy = parseOptions(options)
  const transport = createTransport(policy)
  const readInit = createInitReader(policy)
  const safeFetch: Fetch = (input, init) => fetchResponse(input, init ?? {}, policy, transport)
  return Object.assign(safeFetch, {
    request: (url: string | URL, init: SafeRequestInit = {}) =>
      request(url, init, policy, transport, readInit),
    check: (url: string | URL, init: CheckInit = {}) => checkTarget(url, init, policy),
    close: () => transport.close(),
  })
}

/** The strict default, shared by everyone who needs no options of their own. */
export const safeFetch: SafeFetch = /* @__PURE__ */ createSafeFetch()
