/**
 * Where an address may lead, from the IANA special-purpose address registries (RFC 6890, RFC 8190):
 * https://www.iana.org/assignments/iana-ipv4-special-registry and .../iana-ipv6-special-registry.
 * `reachable` is the registry's "Globally Reachable"; where it says N/A or nothing, false.
 * `scripts/compare-registries.js` compares the rows marked `registry` with the registry files.
 */
export interface SpecialRange {
  readonly block: string
  readonly name: string
  readonly reachable: boolean
  readonly source: 'registry' | 'added'
}

export const IPV4_RANGES: readonly SpecialRange[] = [
  registry('0.0.0.0/8', '"This network"', false),
  registry('0.0.0.0/32', '"This host on this network"', false),
  registry('10.0.0.0/8', 'Private-Use', false),
  registry('100.64.0.0/10', 'Shared Address Space', false),
  registry('127.0.0.0/8', 'Loopback', false),
  registry('169.254.0.0/16', 'Link Local', false),
  registry('172.16.0.0/12', 'Private-Use', false),
  registry('192.0.0.0/24', 'IETF Protocol Assignments', false),
  registry('192.0.0.0/29', 'IPv4 Service Continuity Prefix', false),
  registry('192.0.0.8/32', 'IPv4 dummy address', false),
  registry('192.0.0.9/32', 'Port Control Protocol Anycast', true),
  registry('192.0.0.10/32', 'Traversal Using Relays around NAT Anycast', true),
  registry('192.0.0.170/32', 'NAT64/DNS64 Discovery', false),
  registry('192.0.0.171/32', 'NAT64/DNS64 Discovery', false),
  registry('192.0.2.0/24', 'Documentation (TEST-NET-1)', false),
  registry('192.31.196.0/24', 'AS112-v4', true),
  registry('192.52.193.0/24', 'AMT', true),
  registry('192.88.99.0/24', 'Deprecated (6to4 Relay Anycast)', false),
  registry('192.88.99.2/32', '6a44-relay anycast address', false),
  registry('192.168.0.0/16', 'Private-Use', false),
  registry('192.175.48.0/24', 'Direct Delegation AS112 Service', true),
  registry('198.18.0.0/15', 'Benchmarking', false),
  registry('198.51.100.0/24', 'Documentation (TEST-NET-2)', false),
  registry('203.0.113.0/24', 'Documentation (TEST-NET-3)', false),
  registry('240.0.0.0/4', 'Reserved', false),
  registry('255.255.255.255/32', 'Limited Broadcast', false),
  added('168.63.129.16/32', 'Azure platform services, seen from virtual machines', false),
  added('224.0.0.0/4', 'Multicast (RFC 5771)', false),
  added('0.0.0.0/0', 'Global unicast', true),
]

/**
 * IPv6 is denied unless it lies in 2000::/3, the only block IANA has opened for global unicast (RFC 4291, section 2.4),
 * or in a registry row outside of it that is globally reachable.
 */
export const IPV6_RANGES: readonly SpecialRange[] = [
  registry('::1/128', 'Loopback Address', false),
  registry('::/128', 'Unspecified Address', false),
  registry('::ffff:0:0/96', 'IPv4-mapped Address', false),
  registry('64:ff9b::/96', 'IPv4-IPv6 Translat.', true),
  registry('64:ff9b:1::/48', 'IPv4-IPv6 Translat.', false),
  registry('100::/64', 'Discard-Only Address Block', false),
  registry('100:0:0:1::/64', 'Dummy IPv6 Prefix', false),
  registry('2001::/23', 'IETF Protocol Assignments', false),
  registry('2001::/32', 'TEREDO', false),
  registry('2001:1::1/128', 'Port Control Protocol Anycast', true),
  registry('2001:1::2/128', 'Traversal Using Relays around NAT Anycast', true),
  registry('2001:1::3/128', 'DNS-SD Service Registration Protocol Anycast', true),
  registry('2001:2::/48', 'Benchmarking', false),
  registry('2001:3::/32', 'AMT', true),
  registry('2001:4:112::/48', 'AS112-v6', true),
  registry('2001:10::/28', 'Deprecated (previously ORCHID)', false),
  registry('2001:20::/28', 'ORCHIDv2', true),
  registry('2001:30::/28', 'Drone Remote ID Protocol Entity Tags (DETs) Prefix', true),
  registry('2001:db8::/32', 'Documentation', false),
  registry('2002::/16', '6to4', false),
  registry('2620:4f:8000::/48', 'Direct Delegation AS112 Service', true),
  registry('3fff::/20', 'Documentation', false),
  registry('5f00::/16', 'Segment Routing (SRv6) SIDs', false),
  registry('fc00::/7', 'Unique-Local', false),
  registry('fe80::/10', 'Link-Local Unicast', false),
  added('::/96', 'IPv4-compatible, deprecated (RFC 4291)', false),
  added('::ffff:0:0:0/96', 'IPv4-translated (RFC 2765)', false),
  added('fec0::/10', 'Site-local, deprecated (RFC 3879)', false),
  added('ff00::/8', 'Multicast (RFC 4291)', false),
  added('2000::/3', 'Global unicast', true),
  added('::/0', 'Not allocated', false),
]

function registry(block: string, name: string, reachable: boolean): SpecialRange {
  return { block, name, reachable, source: 'registry' }
}

function added(block: string, name: string, reachable: boolean): SpecialRange {
  return { block, name, reachable, source: 'added' }
}
