import type { RequestPort } from '@doorplate/conformance-kit'
import {
  createSafeFetch,
  isSafeFetchError,
  type SafeFetch,
  type SafeFetchOptions,
} from '@doorplate/safe-fetch'
import { InvalidConformanceOptionsError } from './errors.js'
import type { RunConformanceOptions, RunSettings } from './options.js'
import { plainFetchPort } from './plain-fetch-port.js'

/** The way to the network, and how to leave it. */
export interface OpenPort {
  readonly request: RequestPort
  close(): Promise<void>
}

/**
 * Opens the network as the options allow. The headers of the caller go to the origin of the target alone, also when a
 * document of the site names another one or the site redirects there.
 *
 * @throws {InvalidConformanceOptionsError} `invalid_option`
 */
export function openPort(settings: RunSettings, options: RunConformanceOptions): OpenPort {
  const { fetch, headers = {}, crossOriginSafeHeaders = [] } = options
  const safeNames = new Set(crossOriginSafeHeaders.map((name) => name.toLowerCase()))
  const fields = { ...DEFAULT_HEADERS, ...lowerCased(headers) }
  const shared = Object.fromEntries(
    Object.entries(fields).filter(([name]) => safeNames.has(name) || Object.hasOwn(DEFAULT_HEADERS, name)),
  )
  const headersFor = (url: string): Readonly<Record<string, string>> =>
    url.startsWith(`${settings.origin}/`) || new URL(url).origin === settings.origin ? fields : shared
  if (fetch === undefined) {
    const guarded = guardedFetch(settings, options)
    return { request: safeFetchPort(guarded, headersFor, settings), close: () => guarded.close() }
  }
  const request = Object.hasOwn(fetch, 'request')
    ? safeFetchPort(fetch as SafeFetch, headersFor, settings)
    : plainFetchPort(fetch, headersFor, settings)
  return { request, close: () => Promise.resolve() }
}

/** A site should see who asks, and for what. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json',
  'user-agent': 'aadp-conformance (+https://github.com/doorplate/doorplate)',
}

/** A redirect to another origin loses every field but a few harmless ones: safe-fetch sees to that. */
function safeFetchPort(
  guarded: SafeFetch,
  headersFor: (url: string) => Readonly<Record<string, string>>,
  { timeoutMs, maxRedirects }: RunSettings,
): RequestPort {
  return ({ url, method = 'GET', headers = {}, body, redirect = 'follow', signal, maxResponseBytes }) =>
    guarded.request(url, {
      method,
      headers: { ...headersFor(url), ...headers },
      redirect,
      signal,
      timeoutMs,
      maxRedirects,
      maxResponseBytes,
      ...(body !== undefined && { body }),
    })
}

function guardedFetch(settings: RunSettings, options: RunConformanceOptions): SafeFetch {
  const ownHost = options.allowPrivateNetwork === true ? [hostAndPort(settings.origin)] : []
  try {
    return createSafeFetch({
      dangerouslyAllow: [...ownHost, ...(options.dangerouslyAllow ?? [])],
      ...(options.retry && { retry: options.retry }),
    } satisfies SafeFetchOptions)
  } catch (cause) {
    if (!isSafeFetchError(cause) || cause.code !== 'invalid_option') throw cause
    throw new InvalidConformanceOptionsError(cause.option ?? 'retry', cause.message, cause)
  }
}

function hostAndPort(origin: string): string {
  const { protocol, hostname, port } = new URL(origin)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (fields.every(([name, value]) => FIELD_NAME.test(name) && FIELD_VALUE.test(value)))
    return Object.fromEntries(fields)
  throw new InvalidConformanceOptionsError('headers', 'Option headers holds a malformed field.')
}

/** RFC 9110, sections 5.1 and 5.5. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
