import {
  budgetExceeded,
  followRedirects,
  hopOver,
  isConformanceError,
  privateHosts,
  siteHeaders,
  trustedAuthorities,
  type OpenPort,
  type RequestPort,
} from '@doorplate/conformance-kit'
import { createSafeFetch, isSafeFetchError, type SafeFetch } from '@doorplate/safe-fetch'
import { InvalidConformanceOptionsError } from './errors.js'
import { inOurWords, type RunConformanceOptions, type RunSettings } from './options.js'

/**
 * Opens the network as the options allow.
 *
 * @throws {InvalidConformanceOptionsError} `invalid_option`
 */
export function openPort(settings: RunSettings, options: RunConformanceOptions): OpenPort {
  const headersFor = headersOf(settings, options)
  const { fetch } = options
  const used = fetch ?? guardedFetch(settings, options)
  return {
    request: withinRateLimit(followRedirects(hopOver(used), headersFor, settings)),
    close: async () => {
      if (fetch === undefined) await (used as SafeFetch).close()
    },
  }
}

/** A site that may not be asked more often is not broken: nothing can be said about what was not seen. */
function withinRateLimit(request: RequestPort): RequestPort {
  return async (probe) => {
    const response = await request(probe)
    if (response.status !== 429) return response
    const message =
      'The site limits how often it may be asked (status 429). Wait with --retry-max-attempts, or read fewer entities.'
    throw budgetExceeded('rateLimit', message)
  }
}

/** A site should see who asks, and for what. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json',
  'user-agent': 'aadp-conformance (+https://github.com/doorplate/doorplate)',
}

function headersOf({ origin }: RunSettings, options: RunConformanceOptions): ReturnType<typeof siteHeaders> {
  const { headers, crossOriginSafeHeaders } = options
  try {
    return siteHeaders({ origin, headers, crossOriginSafeHeaders, defaults: DEFAULT_HEADERS })
  } catch (cause) {
    if (!isConformanceError(cause)) throw cause
    throw new InvalidConformanceOptionsError('headers', cause.message, cause)
  }
}

function guardedFetch({ origin }: RunSettings, options: RunConformanceOptions): SafeFetch {
  try {
    return createSafeFetch({
      dangerouslyAllow: privateHosts(origin, options),
      ...inOurWords(() => trustedAuthorities(options)),
      ...(options.retry && { retry: options.retry }),
    })
  } catch (cause) {
    if (!isSafeFetchError(cause) || cause.code !== 'invalid_option') throw cause
    throw new InvalidConformanceOptionsError(cause.option ?? 'retry', cause.message, cause)
  }
}
