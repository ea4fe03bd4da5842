import { isIP } from 'node:net'

/** An address as its 16-bit groups: two for IPv4, eight for IPv6. */
export type AddressGroups = readonly number[]

export interface AddressRange {
  readonly groups: AddressGroups
  /** The bits of each group that the prefix covers, down to the last group that it touches. */
  readonly masks: readonly number[]
  readonly prefixLength: number
}

/**
 * The groups of an address in the strict textual forms only (RFC 791 dotted quad without leading zeros, RFC 4291),
 * or null. Octal, hexadecimal, short and integer spellings are not addresses here: the URL parser has already turned
 * them into dotted quads where they mean one. A zone id is refused.
 */
export function parseAddress(text: string): AddressGroups | null {
  if (text.includes('%')) return null
  switch (isIP(text)) {
    case 4:
      return parseIPv4(text)
    case 6:
      return parseIPv6(text)
    default:
      return null
  }
}

/** A CIDR block such as `10.0.0.0/8`, or null. Bits beyond the prefix must be zero. */
export function parseRange(text: string): AddressRange | null {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text)
  if (!match) return null
  const groups = parseAddress(match[1] ?? '')
  const prefixLength = Number(match[2])
  if (groups === null || prefixLength > groups.length * 16) return null
  const range = createRange(groups, prefixLength)
  return groups.every((group, index) => (group & ~(range.masks[index] ?? 0)) === 0) ? range : null
}

export function createRange(groups: AddressGroups, prefixLength: number): AddressRange {
  const masks = groups.slice(0, Math.ceil(prefixLength / 16)).map((_group, index) => {
    const bits = Math.min(prefixLength - index * 16, 16)
    return (0xffff << (16 - bits)) & 0xffff
  })
  return { groups, masks, prefixLength }
}

export function isInRange(address: AddressGroups, range: AddressRange): boolean {
  if (address.length !== range.groups.length) return false
  for (let index = 0; index < range.masks.length; index++) {
    const difference = (address[index] ?? 0) ^ (range.groups[index] ?? 0)
    if ((difference & (range.masks[index] ?? 0)) !== 0) return false
  }
  return true
}

/** The IPv4 address in two neighbouring groups of an IPv6 address. */
export function formatIPv4(high: number, low: number): string {
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`
}

function parseIPv4(text: string): AddressGroups {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
  return [(a << 8) | b, (c << 8) | d]
}

function parseIPv6(text: string): AddressGroups {
  const [head = '', tail] = text.split('::')
  const before = parseGroups(head)
  if (tail === undefined) return before
  const after = parseGroups(tail)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function parseGroups(text: string): number[] {
  if (text === '') return []
  return text
    .split(':')
    .flatMap((part) => (part.includes('.') ? parseIPv4(part) : [Number.parseInt(part, 16)]))
}
