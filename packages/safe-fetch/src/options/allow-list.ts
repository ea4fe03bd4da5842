import { createRange, isInRange, parseAddress, parseRange } from '../address/address.js'
import type { AddressGroups, AddressRange } from '../address/address.js'
import { BAD_PORTS } from './bad-ports.js'
import { invalidOption, listOption } from './validate-option.js'

/** The exceptions a caller has made to the policy, each for a host, an address or a range. */
export interface AllowList {
  /** True if an entry names this host (without brackets), for any port or for this one. */
  allowsHost(host: string, port: number): boolean
  /** True if an entry covers this address text, for any port or for this one. */
  allowsAddress(address: string, port: number): boolean
  /** True if an entry names this host together with this very port. */
  namesPort(host: string, port: number): boolean
}

interface Entry {
  readonly host: string | null
  readonly range: AddressRange | null
  readonly port: number | null
}

/** Entries: `host`, `host:port`, an address, `a.b.c.d:port`, `[v6]:port`, a CIDR block. */
export function createAllowList(option: string, entries: readonly string[] | undefined): AllowList {
  const parsed = listOption(option, entries).map((entry) => parseEntry(option, entry))
  return {
    allowsHost: (host, port) => parsed.some((entry) => isForHost(entry, host) && isForPort(entry, port)),
    allowsAddress: (address, port) => {
      const groups = dialledAddress(address)
      return groups !== null && parsed.some((entry) => isForAddress(entry, groups) && isForPort(entry, port))
    },
    namesPort: (host, port) => {
      const groups = dialledAddress(host)
      return parsed.some(
        (entry) =>
          entry.port === port && (groups === null ? isForHost(entry, host) : isForAddress(entry, groups)),
      )
    },
  }
}

/** What the system dials for an address: the IPv4 address for an IPv4-mapped one (RFC 4291, section 2.5.5.2). */
function dialledAddress(address: string): AddressGroups | null {
  const groups = parseAddress(address)
  return groups !== null && isInRange(groups, MAPPED) ? groups.slice(6) : groups
}

/** A name as the rules compare it: one trailing dot (the DNS root) dropped. */
export function withoutRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

const MAPPED: AddressRange = createRange([0, 0, 0, 0, 0, 0xffff, 0, 0], 96)

function isForHost(entry: Entry, host: string): boolean {
  return entry.host !== null && entry.host === withoutRootDot(host)
}

function isForAddress(entry: Entry, groups: AddressGroups): boolean {
  return entry.range !== null && isInRange(groups, entry.range)
}

function isForPort(entry: Entry, port: number): boolean {
  return entry.port === null || entry.port === port
}

function parseEntry(option: string, entry: string): Entry {
  const parsed = typeof entry === 'string' ? (parseRangeEntry(entry) ?? parseHostEntry(entry)) : null
  if (parsed === null) {
    throw invalidOption(
      option,
      `a list of hosts, host:port pairs, addresses or CIDR blocks, which ${named(entry)} is not (a block of length 0 is refused)`,
    )
  }
  if (parsed.port !== null && BAD_PORTS.has(parsed.port)) {
    throw invalidOption(option, `free of ports that the Fetch standard blocks, as in ${named(entry)}`)
  }
  return parsed
}

/** An entry for a message. One with a user name may hold a password. */
function named(entry: unknown): string {
  if (typeof entry !== 'string') return `a value of type ${typeof entry}`
  return entry.includes('@') ? 'one with an @' : JSON.stringify(entry.slice(0, MAX_NAMED_LENGTH))
}

const MAX_NAMED_LENGTH = 60

function parseRangeEntry(entry: string): Entry | null {
  const range = parseRange(entry)
  if (range === null || range.prefixLength === 0 || isInRange(range.groups, MAPPED)) return null
  return { host: null, range, port: null }
}

function parseHostEntry(entry: string): Entry | null {
  const bare = dialledAddress(entry)
  if (bare !== null) return addressEntry(bare, null)
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\*%]+)(?::(\d{1,5}))?$/i.exec(entry)
  if (!match?.[1]) return null
  const port = match[2] === undefined ? null : Number(match[2])
  if (port !== null && (port < 1 || port > 65_535)) return null
  const address = dialledAddress(match[1].replace(/^\[|\]$/g, ''))
  if (address !== null) return addressEntry(address, port)
  const host = canonicalName(match[1])
  return host === null ? null : { host, range: null, port }
}

function addressEntry(groups: AddressGroups, port: number | null): Entry {
  return { host: null, range: createRange(groups, groups.length * 16), port }
}

/** The name as the URL parser writes it; null for spellings that it reads as an address. */
function canonicalName(name: string): string | null {
  const text = `http://${name}/`
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (parseAddress(url.hostname.replace(/^\[|\]$/g, '')) !== null) return null
  const host = withoutRootDot(url.hostname)
  return host.split('.').includes('') ? null : host
}
