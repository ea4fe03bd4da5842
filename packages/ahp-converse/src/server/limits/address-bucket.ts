import ipaddr from 'ipaddr.js'

/** Whose requests are counted together: an IPv4 address; of IPv6 the network of 64 bits, which is what one subscriber gets. */
export function addressBucket(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}
