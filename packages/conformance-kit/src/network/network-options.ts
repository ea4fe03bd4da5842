import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { integerOption, invalidOption, MAX_TIMER_MS, type OptionType } from '../validate-option.js'

/** What the caller of a runner decides about the network. */
export interface NetworkOptions {
  /** Time for one request, redirects included. Default 10 000. */
  readonly timeoutMs?: number
  /** Default 5. */
  readonly maxRedirects?: number
  /** Bytes of one response after decoding. Default 2 097 152 (2 MiB). */
  readonly maxResponseBytes?: number
  /** Bytes of all responses together. Default unlimited. */
  readonly maxTotalBytes?: number
  /** Header fields for the origin of the base URL; no other origin sees them. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names of those of `headers` that other origins may see too. Default: none. */
  readonly crossOriginSafeHeaders?: readonly string[]
  /** Let the host of the base URL, and it alone, be a private one. Default false. */
  readonly allowPrivateNetwork?: boolean
  /** Further hosts, `host:port` or CIDR blocks that may be private. Default: none. */
  readonly dangerouslyAllow?: readonly string[]
  /** Certificate authorities to trust besides those of Node, as PEM. Certificates are always checked. Default: none. */
  readonly ca?: readonly string[]
}

/** The numbers among them, validated and completed. */
export interface NetworkSettings {
  readonly timeoutMs: number
  readonly maxRedirects: number
  readonly maxResponseBytes: number
  readonly maxTotalBytes: number
}

/** @throws {ConformanceError} `invalid_option` */
export function networkSettings(options: NetworkOptions): NetworkSettings {
  return {
    timeoutMs: integerOption('timeoutMs', options.timeoutMs, 10_000, 1, MAX_TIMER_MS),
    maxRedirects: integerOption('maxRedirects', options.maxRedirects, 5, 0),
    maxResponseBytes: integerOption('maxResponseBytes', options.maxResponseBytes, 2_097_152, 1),
    maxTotalBytes: integerOption('maxTotalBytes', options.maxTotalBytes, Number.MAX_SAFE_INTEGER, 1),
  }
}

/** The types of those that are no numbers, for `checkOptionTypes`. */
export const NETWORK_OPTION_TYPES: Readonly<Record<string, OptionType>> = {
  headers: 'record',
  crossOriginSafeHeaders: 'names',
  allowPrivateNetwork: 'flag',
  dangerouslyAllow: 'names',
  ca: 'names',
} satisfies Partial<Record<keyof NetworkOptions, OptionType>>

/** The names of all, for `checkOptionNames`. */
export const NETWORK_OPTION_NAMES: readonly string[] = [
  'timeoutMs',
  'maxRedirects',
  'maxResponseBytes',
  'maxTotalBytes',
  ...Object.keys(NETWORK_OPTION_TYPES),
]

/** The hosts that may be private: that of the target if its owner says so, and those that are listed. */
export function privateHosts(
  origin: string,
  { allowPrivateNetwork = false, dangerouslyAllow = [] }: NetworkOptions,
): readonly string[] {
  return [...(allowPrivateNetwork ? [hostAndPort(origin)] : []), ...dangerouslyAllow]
}

/**
 * The authorities that a guarded fetch has to be given: none, so that it trusts those of Node, unless further ones are named.
 *
 * @throws {ConformanceError} `invalid_option`
 */
export function trustedAuthorities({ ca }: NetworkOptions): { readonly ca?: readonly string[] } {
  if (ca === undefined) return {}
  for (const pem of ca) checkCertificate(pem)
  return { ca: [...rootCertificates, ...ca] }
}

function checkCertificate(pem: string): void {
  try {
    new X509Certificate(pem)
  } catch (cause) {
    throw invalidOption('ca', 'a list of certificates as PEM', cause)
  }
}

function hostAndPort(origin: string): string {
  const { protocol, hostname, port } = new URL(origin)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}
