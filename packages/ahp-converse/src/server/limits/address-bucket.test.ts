import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { addressBucket } from './address-bucket.js'

describe('addressBucket', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['unknown', 'unknown'],
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['2001:db8::5:6:7:8:9', '2001:db8:0:5::/64'],
  ])('of %s is %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket)
  })

  it('is the same for two addresses exactly when their first 64 bits are', () => {
    const groups = fc.array(fc.constantFrom(0, 1, 0xdb8, 0xffff), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        const [first, second] = [one, other].map((parts) => addressBucket(new ipaddr.IPv6(parts).toString()))
        expect(first === second).toBe(String(one.slice(0, 4)) === String(other.slice(0, 4)))
      }),
    )
  })
})
