import fc from 'fast-check'
import { expect, it } from 'vitest'

import { classifyAddress } from './classify-address.js'

it.each([
  ['8.8.8.8', { public: true, family: 4, range: '0.0.0.0/0', name: 'Global unicast' }],
  ['10.1.2.3', { public: false, family: 4, range: '10.0.0.0/8', name: 'Private-Use' }],
  ['192.0.0.9', { public: true, family: 4, range: '192.0.0.9/32', name: 'Port Control Protocol Anycast' }],
  [
    '168.63.129.16',
    {
      public: false,
      family: 4,
      range: '168.63.129.16/32',
      name: 'Azure platform services, seen from virtual machines',
    },
  ],
  ['168.63.129.17', { public: true, family: 4, range: '0.0.0.0/0', name: 'Global unicast' }],
  ['2606:4700::1111', { public: true, family: 6, range: '2000::/3', name: 'Global unicast' }],
  ['4000::1', { public: false, family: 6, range: '::/0', name: 'Not allocated' }],
  ['not an address', { public: false, family: 0, range: '', name: 'Not an address' }],
  ['', { public: false, family: 0, range: '', name: 'Not an address' }],
])('%j is %j', (address, expected) => {
  expect(classifyAddress(address)).toEqual(expected)
})

it('an IPv4-mapped address has the verdict of the IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(classifyAddress(`::ffff:${address}`).public).toBe(classifyAddress(address).public)
    }),
  )
})

it('every spelling of an IPv6 address has one verdict', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const compressed = new URL(`http://[${address}]/`).hostname.slice(1, -1)
      expect(classifyAddress(address)).toEqual(classifyAddress(compressed))
      expect(classifyAddress(address.toUpperCase())).toEqual(classifyAddress(compressed))
    }),
  )
})

it('text that is not an address never is public, and nothing throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webAuthority()), (text) => {
      const verdict = classifyAddress(text)
      if (verdict.family === 0) expect(verdict.public).toBe(false)
    }),
  )
})
