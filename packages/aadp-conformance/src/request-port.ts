import { budgetExceeded, type RequestPort } from '@doorplate/conformance-kit'
import {
  createSafeFetch,
  isSafeFetchError,
  type SafeFetch,
  type SafeFetchOptions,
} from '@doorplate/safe-fetch'
import { InvalidConformanceOptionsError } from './errors.js'
import type { RunConformanceOptions, RunSettings } from './options.js'
import { followRedirects, type Hop } from './follow-redirects.js'
import { plainFetchHop } from './plain-fetch-hop.js'

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
  const own = lowerCased(headers)
  const safeNames = new Set(crossOriginSafeHeaders.map((name) => name.toLowerCase()))
  const safe = Object.fromEntries(Object.entries(own).filter(([name]) => safeNames.has(name)))
  const forTarget = { ...DEFAULT_HEADERS, ...own }
  const forOthers = { ...DEFAULT_HEADERS, ...safe }
  const headersFor = (url: string): Readonly<Record<string, string>> =>
    url.startsWith(`${settings.origin}/`) || new URL(url).origin === settings.origin ? forTarget : forOthers
  const portOver = (hop: Hop): RequestPort => withinRateLimit(followRedirects(hop, headersFor, settings))
  if (fetch !== undefined) return { request: portOver(hopOver(fetch)), close: () => Promise.resolve() }
  const guarded = guardedFetch(settings, options)
  return { request: portOver(safeFetchHop(guarded)), close: () => guarded.close() }
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

/** The lean core of a guarded fetch where there is one, otherwise the fetch itself. */
function hopOver(fetch: SafeFetch | typeof globalThis.fetch): Hop {
  return isSafeFetch(fetch) ? safeFetchHop(fetch) : plainFetchHop(fetch)
}

function isSafeFetch(fetch: SafeFetch | typeof globalThis.fetch): fetch is SafeFetch {
  return Object.hasOwn(fetch, 'request')
}

function safeFetchHop(fetch: SafeFetch): Hop {
  return ({ url, method, headers, body, signal, timeoutMs, maxResponseBytes }) =>
    fetch.request(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      timeoutMs,
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
  if (fields.every(([name, value]) => FIELD_NAME.test(name) && isFieldValue(value)))
    return Object.fromEntries(fields)
  throw new InvalidConformanceOptionsError('headers', 'Option headers holds a malformed field.')
}

/** RFC 9110, sections 5.1 and 5.5. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function isFieldValue(value: unknown): boolean {
  return typeof value === 'string' && FIELD_VALUE.test(value)
}
