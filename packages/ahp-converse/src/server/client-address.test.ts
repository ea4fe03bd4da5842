import { describe, expect, it } from 'vitest'
import { createAddressReader, UNKNOWN_ADDRESS } from './client-address.js'

describe('createAddressReader', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['', UNKNOWN_ADDRESS],
    ['not an address', UNKNOWN_ADDRESS],
    [undefined, UNKNOWN_ADDRESS],
  ])('reads the peer %s as %s', (peer, expected) => {
    expect(createAddressReader([])(peer, null)).toBe(expected)
  })

  it('believes no forwarded address where no proxy is trusted (H13)', () => {
    expect(createAddressReader([])('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
  })

  it('believes a proxy in the list, and no other peer (H13)', () => {
    const read = createAddressReader(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
    expect(read('127.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
    expect(read('::ffff:10.9.8.7', '198.51.100.1')).toBe('198.51.100.1')
    expect(read('fd12::1', '2001:db8::0:5')).toBe('2001:db8::5')
    expect(read('127.0.0.2', '198.51.100.1')).toBe('127.0.0.2')
  })

  it.each([
    ['6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['6.6.6.6, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['6.6.6.6, unknown, 10.0.0.2', '10.0.0.2'],
    ['6.6.6.6, ', '10.0.0.1'],
    ['', '10.0.0.1'],
    ['0x7f.1', '10.0.0.1'],
    ['017700000001', '10.0.0.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('reads the chain "%s" behind 10.0.0.1 as %s', (forwardedFor, expected) => {
    expect(createAddressReader(['10.0.0.0/8'])('10.0.0.1', forwardedFor)).toBe(expected)
  })

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '::/129',
    '10.1',
    '::ffff:10.0.0.0/104',
  ])('refuses the proxy "%s" by its place', (proxy) => {
    expect(() => createAddressReader(['127.0.0.1', proxy])).toThrow(
      expect.objectContaining({ code: 'invalid_option', option: 'trustedProxies[1]' }),
    )
  })

  it.each(['127.0.0.1', undefined, [17]])('refuses %j as a list', (proxies) => {
    expect(() => createAddressReader(proxies as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })
})
