import {
  followRedirects,
  hopOver,
  privateHosts,
  siteHeaders,
  trustedAuthorities,
  type OpenPort,
} from '@doorplate/conformance-kit'
import { createSafeFetch, isSafeFetchError, type SafeFetch } from '@doorplate/safe-fetch'
import { AhpConformanceError } from './errors.js'
import { inOurWords, type RunConformanceOptions, type RunSettings } from './options.js'

/**
 * Opens the network as the options allow.
 *
 * @throws {AhpConformanceError} `invalid_option`
 */
export function openPort(settings: RunSettings, options: RunConformanceOptions): OpenPort {
  const { fetch, headers, crossOriginSafeHeaders } = options
  const headersFor = inOurWords(() =>
    siteHeaders({ origin: settings.origin, headers, crossOriginSafeHeaders, defaults: DEFAULT_HEADERS }),
  )
  if (fetch !== undefined)
    return { request: followRedirects(hopOver(fetch), headersFor, settings), close: () => Promise.resolve() }
  const guarded = guardedFetch(settings, options)
  return {
    request: followRedirects(hopOver(guarded), headersFor, settings),
    close: () => guarded.close(),
  }
}

/** A site should see who asks, and for what. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'ahp-conformance (+https://github.com/doorplate/doorplate)',
}

function guardedFetch({ origin }: RunSettings, options: RunConformanceOptions): SafeFetch {
  try {
    return createSafeFetch({
      dangerouslyAllow: privateHosts(origin, options),
      ...inOurWords(() => trustedAuthorities(options)),
    })
  } catch (cause) {
    if (!isSafeFetchError(cause) || cause.code !== 'invalid_option') throw cause
    const { option = 'dangerouslyAllow' } = cause
    throw new AhpConformanceError('invalid_option', cause.message, { option, cause })
  }
}
