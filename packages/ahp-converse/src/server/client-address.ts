import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { invalidOption } from '../converse-error.js'

/** The address of whoever asks, from the address of the peer and the value of `X-Forwarded-For`. */
export type AddressReader = (peer: string | undefined, forwardedFor: string | null) => string

/** Stands for every caller whose address the runtime does not tell: they share all limits. */
export const UNKNOWN_ADDRESS = 'unknown'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [base: Address, prefixLength: number]

interface KnownAddress {
  /** In the form of RFC 5952. */
  readonly text: string
  readonly isTrusted: boolean
}

/** Addresses remembered: reading one of IPv6 costs more than the rest of a small request. */
const REMEMBERED = 10_000
const LONGEST_ADDRESS = 45

/**
 * Reads `X-Forwarded-For` from the right, and only as far as the proxies in the list have written it: what stands left of the
 * first address that is not one of them is a claim of that address. IPv4 addresses inside IPv6 are read as IPv4.
 *
 * @param trustedProxies addresses and CIDR ranges. Throws `invalid_option`.
 */
export function createAddressReader(trustedProxies: readonly string[]): AddressReader {
  if (!Array.isArray(trustedProxies)) {
    throw invalidOption('trustedProxies', 'must be a list of addresses and CIDR ranges')
  }
  const ranges = trustedProxies.map(readRange)
  const remembered = new LRUCache<string, KnownAddress>({ max: REMEMBERED })

  function know(text: string): KnownAddress | undefined {
    if (text.length > LONGEST_ADDRESS) return undefined
    let known = remembered.get(text)
    if (known !== undefined) return known
    const address = readAddress(text)
    if (address === undefined) return undefined
    known = { text: address.toString(), isTrusted: ranges.some((range) => isInRange(address, range)) }
    remembered.set(text, known)
    return known
  }

  return (peer, forwardedFor) => {
    let client = peer === undefined ? undefined : know(peer)
    if (client === undefined) return UNKNOWN_ADDRESS
    if (forwardedFor === null || !client.isTrusted) return client.text
    const hops = forwardedFor.split(',')
    for (let hop = hops.pop(); hop !== undefined && client.isTrusted; hop = hops.pop()) {
      const before = know(withoutPort(hop.trim()))
      if (before === undefined) break
      client = before
    }
    return client.text
  }
}

function readRange(text: unknown, index: number): Range {
  const option = `trustedProxies[${index}]`
  const [base, length, ...more] = typeof text === 'string' ? text.split('/') : []
  const address = readAddress(base ?? '')
  if (address === undefined || more.length > 0) {
    throw invalidOption(option, 'must be an IP address or a CIDR range')
  }
  const bits = address.kind() === 'ipv4' ? 32 : 128
  if (length === undefined) return [address, bits]
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits || (bits === 32 && base?.includes(':'))) {
    throw invalidOption(option, `must have a prefix of at most ${bits} bits`)
  }
  return [address, Number(length)]
}

function isInRange(address: Address, [base, prefixLength]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, prefixLength)
}

/** Octal, hexadecimal and short forms are no addresses here: proxies do not write them, attackers do. */
function readAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** Some proxies add the port of the client: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)
  if (bracketed?.[1] !== undefined) return bracketed[1]
  return /^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}
