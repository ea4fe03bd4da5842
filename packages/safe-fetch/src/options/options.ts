import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'

import { createAllowList } from './allow-list.js'
import type { AllowList } from './allow-list.js'
import type { AttemptEvent } from './attempt-event.js'
import { BAD_PORTS } from './bad-ports.js'
import { parseCredentials } from './credentials.js'
import type { Credentials } from './credentials.js'
import type { HeaderList } from '../header-list.js'
import { parseProxy } from './proxy.js'
import type { ProxyOptions } from './proxy.js'
import { parseRetry } from './retry-options.js'
import type { RetryOptions, RetryPolicy } from './retry-options.js'
import { parseSigning } from './signing-options.js'
import type { SigningOptions, SigningPolicy } from './signing-options.js'
import {
  choiceOption,
  functionOption,
  integerOption,
  invalidOption,
  ownMembers,
  listOption,
  MAX_TIMER_MS,
} from './validate-option.js'

/**
 * A resolver with the shape of `dns.lookup`; it is asked for all answers and may give one or a list. It may be `async`: a
 * rejection is a failed lookup, what it resolves to is ignored.
 */
export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
) => unknown

/** All limits are on by default. */
export interface SafeFetchOptions {
  /** One deadline over name lookup, connecting, headers, body, redirects and retries. Default 30 000. */
  readonly timeoutMs?: number
  /** Time for one connection, name lookup included. Default 10 000. */
  readonly connectTimeoutMs?: number
  /** Time for one address of a host that has several, before the next is tried. Default 1 000. */
  readonly addressAttemptTimeoutMs?: number
  /** Bytes of a response body after decoding. Default 10 485 760 (10 MiB). */
  readonly maxResponseBytes?: number
  /** Bytes of a response's header block. Default 16 384. */
  readonly maxResponseHeaderBytes?: number
  /** Redirects followed before `too_many_redirects`. Default 10. */
  readonly maxRedirects?: number
  /** Ports that may be used. Default: every port that the Fetch standard does not block. */
  readonly allowedPorts?: readonly number[]
  /**
   * Exceptions from the name and address rules: `host`, `host:port`, an address, `[v6]:port`, a CIDR block. A named host
   * may resolve to any address. Default: none.
   */
  readonly dangerouslyAllow?: readonly string[]
  /** Hosts, addresses or blocks to which a redirect may go from https to http. */
  readonly dangerouslyAllowDowngradeTo?: readonly string[]
  /**
   * What becomes of a name that has both public and other addresses: `refuse` the request (default), or `filter` and
   * dial the public ones only.
   */
  readonly mixedAnswers?: 'refuse' | 'filter'
  /** The resolver. Default `dns.lookup`. */
  readonly lookup?: Lookup
  /** Inputs are resolved against this URL and must stay on its origin. */
  readonly baseUrl?: string | URL
  /** Header fields per origin. They are sent to that origin alone, and no more once a redirect chain has left it. */
  readonly credentials?: Credentials
  /** Try again after transient failures of safe methods. Default: no. */
  readonly retry?: RetryOptions
  /** Sign each request (Web Bot Auth). Needs the package `web-bot-auth`. Default: no. */
  readonly signing?: SigningOptions
  /** Send everything through a proxy, which then resolves the names: their addresses can be neither judged nor pinned. */
  readonly proxy?: ProxyOptions
  /** Certificate authorities to trust in place of Node's, which are the default. Certificates are always checked. */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** Told about each request on the wire: every hop of every attempt. */
  readonly onAttempt?: (event: AttemptEvent) => void
  /** The wall clock in milliseconds, for dates in `Retry-After` and for signatures. Default `Date.now`. */
  readonly now?: () => number
  /** Randomness in [0, 1) for jitter. Default `Math.random`. */
  readonly random?: () => number
}

/** The options, validated and completed. */
export interface Policy {
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly addressAttemptTimeoutMs: number
  readonly maxResponseBytes: number
  readonly maxResponseHeaderBytes: number
  readonly maxRedirects: number
  readonly allowedPorts: ReadonlySet<number> | null
  readonly allowList: AllowList
  readonly downgradeList: AllowList
  readonly mixedAnswers: 'refuse' | 'filter'
  readonly lookup: Lookup
  readonly baseUrl: URL | undefined
  readonly credentials: ReadonlyMap<string, HeaderList>
  readonly retry: RetryPolicy
  readonly signing: SigningPolicy | null
  readonly proxy: URL | null
  readonly ca: string | Buffer | (string | Buffer)[] | undefined
  readonly onAttempt: ((event: AttemptEvent) => void) | undefined
  readonly now: () => number
  readonly random: () => number
}

const MEMBERS: ReadonlySet<string> = new Set<keyof SafeFetchOptions>([
  'timeoutMs',
  'connectTimeoutMs',
  'addressAttemptTimeoutMs',
  'maxResponseBytes',
  'maxResponseHeaderBytes',
  'maxRedirects',
  'allowedPorts',
  'dangerouslyAllow',
  'dangerouslyAllowDowngradeTo',
  'mixedAnswers',
  'lookup',
  'baseUrl',
  'credentials',
  'retry',
  'signing',
  'proxy',
  'ca',
  'onAttempt',
  'now',
  'random',
])

export function parseOptions(given: SafeFetchOptions): Policy {
  const options = ownMembers('SafeFetchOptions', given, MEMBERS)
  return {
    timeoutMs: integerOption('timeoutMs', options.timeoutMs, 30_000, 1, MAX_TIMER_MS),
    connectTimeoutMs: integerOption('connectTimeoutMs', options.connectTimeoutMs, 10_000, 1, MAX_TIMER_MS),
    addressAttemptTimeoutMs: integerOption(
      'addressAttemptTimeoutMs',
      options.addressAttemptTimeoutMs,
      1_000,
      10,
      MAX_TIMER_MS,
    ),
    maxResponseBytes: integerOption('maxResponseBytes', options.maxResponseBytes, 10_485_760, 0),
    maxResponseHeaderBytes: integerOption(
      'maxResponseHeaderBytes',
      options.maxResponseHeaderBytes,
      16_384,
      1,
    ),
    maxRedirects: integerOption('maxRedirects', options.maxRedirects, 10, 0),
    allowedPorts: parsePorts(options.allowedPorts),
    allowList: createAllowList('dangerouslyAllow', options.dangerouslyAllow),
    downgradeList: createAllowList('dangerouslyAllowDowngradeTo', options.dangerouslyAllowDowngradeTo),
    mixedAnswers: choiceOption('mixedAnswers', options.mixedAnswers, ['refuse', 'filter']),
    lookup: functionOption('lookup', options.lookup) ?? systemLookup,
    baseUrl: parseBaseUrl(options.baseUrl),
    credentials: parseCredentials(options.credentials),
    retry: parseRetry(options.retry),
    signing: parseSigning(options.signing),
    proxy: parseProxy(options.proxy),
    ca: parseAuthorities(options.ca),
    onAttempt: functionOption('onAttempt', options.onAttempt),
    now: functionOption('now', options.now) ?? Date.now,
    random: functionOption('random', options.random) ?? Math.random,
  }
}

function parsePorts(ports: readonly number[] | undefined): ReadonlySet<number> | null {
  if (ports === undefined) return null
  for (const port of listOption('allowedPorts', ports)) {
    if (!Number.isInteger(port) || port < 1 || port > 65_535 || BAD_PORTS.has(port)) {
      throw invalidOption('allowedPorts', 'a list of ports that the Fetch standard does not block')
    }
  }
  return new Set(ports)
}

function parseAuthorities(ca: SafeFetchOptions['ca']): Policy['ca'] {
  if (ca === undefined) return undefined
  const authorities: readonly unknown[] = Array.isArray(ca) ? ca : [ca]
  if (authorities.every((authority) => typeof authority === 'string' || authority instanceof Uint8Array)) {
    return ca as Policy['ca']
  }
  throw invalidOption('ca', 'PEM, as text or bytes, or a list of that')
}

function parseBaseUrl(baseUrl: string | URL | undefined): URL | undefined {
  if (baseUrl === undefined) return undefined
  if (!URL.canParse(String(baseUrl)) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw invalidOption('baseUrl', 'an http or https URL')
  }
  const url = new URL(baseUrl)
  if (url.username !== '' || url.password !== '') {
    throw invalidOption('baseUrl', 'free of a user name and password')
  }
  return url
}
