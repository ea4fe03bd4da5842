import { createSafeFetch, isSafeFetchError, type SafeFetchOptions } from '@doorplate/safe-fetch'
import type { CallbackTransport } from './callback-options.js'

/** Options of `createCallbackTransport`. */
export interface CallbackTransportOptions extends Pick<
  SafeFetchOptions,
  'lookup' | 'ca' | 'signing' | 'dangerouslyAllow'
> {
  /** Default: 443 alone. */
  readonly allowedPorts?: readonly number[]
  /** For each delivery, and for the look at a URL when it is handed in. Default: 10,000. */
  readonly timeoutMs?: number
}

/** Nobody reads what a receiver answers. */
const MAX_RESPONSE_BYTES = 65_536

/**
 * Posts to public https addresses, through `@doorplate/safe-fetch`: names are resolved and judged when a URL is handed in and
 * once more for each delivery, which goes to the address that was judged. Throws `invalid_option` of that package.
 */
export function createCallbackTransport({
  allowedPorts = [443],
  timeoutMs = 10_000,
  ...options
}: CallbackTransportOptions = {}): CallbackTransport & { close(): Promise<void> } {
  const { request, check, close } = createSafeFetch({
    ...options,
    allowedPorts,
    timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    mixedAnswers: 'refuse',
  })
  return {
    async allows(url, { signal }) {
      try {
        await check(url, { signal })
        return true
      } catch (error) {
        if (isSafeFetchError(error)) return false
        throw error
      }
    },
    post: (url, { headers, body, signal }) =>
      request(url, { method: 'POST', redirect: 'manual', headers, body, signal }),
    close,
  }
}
