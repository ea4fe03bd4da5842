import { formatIPv4, isInRange, parseAddress, parseRange } from './address.js'
import type { AddressGroups, AddressRange } from './address.js'
import { IPV4_RANGES, IPV6_RANGES } from './address-ranges.js'
import type { SpecialRange } from './address-ranges.js'

/** What an address is by the registries. */
export interface AddressClass {
  /** True only if the address, and the IPv4 address inside it if there is one, is globally reachable. */
  readonly public: boolean
  /** 0 for text that is not an address. */
  readonly family: 0 | 4 | 6
  /** The most specific block the address lies in, as CIDR; empty for text that is not an address. */
  readonly range: string
  /** What that block is for. */
  readonly name: string
  /** The IPv4 address inside an IPv4-mapped, -compatible, -translated, 6to4, Teredo or NAT64 address. */
  readonly embeddedIPv4?: string
}

interface IndexedRange extends SpecialRange, AddressRange {}

interface RangeIndex {
  readonly 4: readonly IndexedRange[]
  readonly 6: readonly IndexedRange[]
}

/** Made when first needed: parsing the tables would be half the cost of importing the package. */
let index: RangeIndex | undefined

const NOT_AN_ADDRESS: AddressClass = { public: false, family: 0, range: '', name: 'Not an address' }

/**
 * Judges the text of an address by the IANA registries; never throws.
 *
 * An IPv4-mapped address is judged as the IPv4 address, because that is what the system dials. Every other address
 * with an IPv4 address inside needs both its own block and the inner address to be reachable. A zone id, an octal,
 * hexadecimal, short or integer spelling is not an address and hence not public.
 */
export function classifyAddress(address: string): AddressClass {
  if (typeof address !== 'string') return NOT_AN_ADDRESS
  const groups = parseAddress(address)
  if (groups === null) return classifyUnparsed(address)
  return classifyGroups(groups)
}

function classifyUnparsed(address: string): AddressClass {
  const zoneAt = address.indexOf('%')
  const groups = zoneAt > 0 ? parseAddress(address.slice(0, zoneAt)) : null
  return groups === null ? NOT_AN_ADDRESS : { ...classifyGroups(groups), public: false }
}

function classifyGroups(groups: AddressGroups): AddressClass {
  const family = groups.length === 2 ? 4 : 6
  const range = longestMatch(groups, family)
  const own = { public: range.reachable, family, range: range.block, name: range.name } as const
  const embedded = family === 6 ? embeddedIPv4(groups, range.block) : null
  if (embedded === null) return own
  const inner = classifyGroups(embedded)
  return {
    ...own,
    public: inner.public && (own.public || range.block === '::ffff:0:0/96'),
    embeddedIPv4: formatIPv4(embedded[0] ?? 0, embedded[1] ?? 0),
  }
}

function longestMatch(groups: AddressGroups, family: 4 | 6): IndexedRange {
  index ??= { 4: indexRanges(IPV4_RANGES), 6: indexRanges(IPV6_RANGES) }
  const match = index[family].find((range) => isInRange(groups, range))
  if (!match) throw new Error('The address tables have no row that covers everything.')
  return match
}

/** RFC 4291 (mapped, compatible), RFC 2765 (translated), RFC 3056 (6to4), RFC 4380 (Teredo), RFC 6052 (NAT64). */
function embeddedIPv4(groups: AddressGroups, block: string): AddressGroups | null {
  switch (block) {
    case '::ffff:0:0/96':
    case '::ffff:0:0:0/96':
    case '::/96':
    case '64:ff9b::/96':
      return [groups[6] ?? 0, groups[7] ?? 0]
    case '64:ff9b:1::/48':
      return [groups[3] ?? 0, (((groups[4] ?? 0) & 0xff) << 8) | ((groups[5] ?? 0) >> 8)]
    case '2002::/16':
      return [groups[1] ?? 0, groups[2] ?? 0]
    case '2001::/32':
      return [(groups[6] ?? 0) ^ 0xffff, (groups[7] ?? 0) ^ 0xffff]
    default:
      return null
  }
}

/** Most specific first, so that the first hit is the longest match. */
function indexRanges(ranges: readonly SpecialRange[]): readonly IndexedRange[] {
  return ranges.map(indexRange).sort((left, right) => right.prefixLength - left.prefixLength)
}

function indexRange(range: SpecialRange): IndexedRange {
  const parsed = parseRange(range.block)
  if (parsed === null) throw new Error(`Malformed block in the address tables: ${range.block}`)
  return { ...range, ...parsed }
}
