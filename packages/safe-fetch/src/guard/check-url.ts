import { isIP } from 'node:net'

import { withoutRootDot } from '../options/allow-list.js'
import { BAD_PORTS } from '../options/bad-ports.js'
import { classifyAddress } from '../address/classify-address.js'
import { SafeFetchError } from '../errors.js'
import type { BlockReason } from '../errors.js'
import type { Policy } from '../options/options.js'

/**
 * Names that mean "this machine" or "this network" (RFC 6761, RFC 6762 with appendix G, ICANN's .internal) or that must
 * not be asked of the DNS (RFC 7686).
 */
const LOCAL_TOP_LABELS: ReadonlySet<string> = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'onion',
])

/** Parses with the WHATWG parser; only the URL object travels on, so guard and connector see one host. */
export function parseUrl(input: string | URL, baseUrl?: URL): URL {
  try {
    return new URL(input, baseUrl)
  } catch {
    // The parser's error holds the text, and that may hold a password.
    const hint = baseUrl === undefined ? ' A relative one needs the option baseUrl.' : ''
    throw new SafeFetchError('invalid_url', `The URL cannot be parsed.${hint}`)
  }
}

/**
 * Applies every rule that can be judged without the DNS; throws a `blocked` error. The host comes before the port, so
 * that all ports of a refused host look the same.
 */
export function checkUrl(url: URL, policy: Policy): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw blocked(url, 'scheme', 'Only http and https URLs are fetched.')
  }
  if (url.username !== '' || url.password !== '') {
    throw blocked(url, 'userinfo', 'A URL with a user name or password is refused.')
  }
  const { origin } = url
  if (lastAllowed.get(policy) === origin) return
  const host = hostOf(url)
  const port = portOf(url)
  if (!policy.allowList.allowsHost(host, port)) {
    if (isIP(host) === 0) checkName(url, host)
    else if (!isAllowedAddress(host, port, policy)) throw blockedAddress(url, host)
  }
  checkPort(url, host, port, policy)
  lastAllowed.set(policy, origin)
}

/** The origin that each policy allowed last: of an http(s) URL without userinfo, nothing else is judged. */
const lastAllowed = new WeakMap<Policy, string>()

/** True if the policy lets a connection go to this address and port. */
export function isAllowedAddress(address: string, port: number, policy: Policy): boolean {
  return classifyAddress(address).public || policy.allowList.allowsAddress(address, port)
}

/** One text for every refused address, so that nothing can be learnt about what is behind it. */
export function blockedAddress(url: URL | undefined, address: string): SafeFetchError {
  return new SafeFetchError('blocked', 'The address is not public.', {
    url: url === undefined ? undefined : displayUrl(url),
    reason: 'address',
    blockedAddress: address,
  })
}

/** The host without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** A URL fit for an error or an event: no userinfo, no fragment. */
export function displayUrl(input: URL): string {
  if (input.hash === '' && input.username === '' && input.password === '' && !input.href.endsWith('#'))
    return input.href
  const url = new URL(input)
  url.username = ''
  url.password = ''
  url.hash = ''
  return url.href
}

function checkPort(url: URL, host: string, port: number, policy: Policy): void {
  const allowed = policy.allowedPorts
  if (
    BAD_PORTS.has(port) ||
    (allowed !== null && !allowed.has(port) && !policy.allowList.namesPort(host, port))
  ) {
    throw blocked(url, 'port', 'The port is refused.')
  }
}

function checkName(url: URL, host: string): void {
  const name = withoutRootDot(host)
  const labels = name.split('.')
  const top = labels.at(-1) ?? ''
  const isLocal =
    labels.length < 2 || LOCAL_TOP_LABELS.has(top) || name === 'home.arpa' || name.endsWith('.home.arpa')
  if (isLocal || labels.includes('')) throw blocked(url, 'host_name', 'The host name is not public.')
}

function blocked(url: URL, reason: BlockReason, message: string): SafeFetchError {
  return new SafeFetchError('blocked', message, { url: displayUrl(url), reason })
}
