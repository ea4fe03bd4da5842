/**
 * Whose requests are counted together: an IPv4 address; of IPv6 the network of 64 bits, which is what one subscriber gets.
 *
 * @param address in the form of RFC 5952
 */
export function addressBucket(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':')
    while (groups.length + last.length < 8) groups.push('0')
    groups.push(...last)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
