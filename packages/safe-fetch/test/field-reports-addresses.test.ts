import { expect, it } from 'vitest'

import { classifyAddress } from '../src/index.js'

function isBlocked(address: string): boolean {
  return !classifyAddress(address).public
}

it('IP-03: an IPv4-mapped address is judged as the IPv4 address, in every spelling', () => {
  const spellings = ['::ffff:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:0a00:0001', '::FFFF:10.0.0.1']
  const verdicts = spellings.map((spelling) => classifyAddress(spelling))
  expect(new Set(verdicts.map((verdict) => JSON.stringify(verdict))).size).toBe(1)
  expect(verdicts[0]).toMatchObject({ public: false, embeddedIPv4: '10.0.0.1' })
  expect(classifyAddress('::ffff:8.8.8.8')).toMatchObject({ public: true, embeddedIPv4: '8.8.8.8' })
})

it.each(['017700000001', '0177.0.0.1', '2130706433', '127.1', '127.0.0.01'])(
  'IP-05: %s is not an address, hence not public',
  (text) => {
    expect(classifyAddress(text)).toMatchObject({ public: false, family: 0 })
  },
)

it.each(['0x7F.1', '0x7f000001', '0x7f.0.0.1'])('IP-06: %s is not an address, hence not public', (text) => {
  expect(classifyAddress(text)).toMatchObject({ public: false, family: 0 })
})

it('IP-09: an octal octet is refused, never converted', () => {
  expect(classifyAddress('192.012.1.1')).toMatchObject({ public: false, family: 0 })
})

it('IP-10: an octal octet inside an IPv4-mapped literal is refused', () => {
  expect(classifyAddress('::ffff:0177.0.0.1')).toMatchObject({ public: false, family: 0 })
})

it('IP-11: a two-part form is refused', () => {
  expect(classifyAddress('1.2')).toMatchObject({ public: false, family: 0 })
})

it.each([
  ['2002:7f00:1::', '127.0.0.1'],
  ['2002:a9fe:a9fe::1', '169.254.169.254'],
  ['::7f00:1', '127.0.0.1'],
  ['::ffff:0:7f00:1', '127.0.0.1'],
  ['64:ff9b::7f00:1', '127.0.0.1'],
  ['64:ff9b::a9fe:a9fe', '169.254.169.254'],
  ['64:ff9b:1:7f00:0:100::', '127.0.0.1'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', '127.0.0.1'],
])('IP-15, IP-16: %s hides %s and is refused', (address, embeddedIPv4) => {
  expect(classifyAddress(address)).toMatchObject({ public: false, embeddedIPv4 })
})

it('IP-15: an IPv4 address in a NAT64 literal is judged, so that IPv6-only networks work', () => {
  expect(classifyAddress('64:ff9b::808:808')).toMatchObject({ public: true, embeddedIPv4: '8.8.8.8' })
})

it.each(['64:ff9b:2::1', '64:ff9b::1:808:808'])(
  'IP-19: %s is no NAT64 address; the general table judges it',
  (address) => {
    const verdict = classifyAddress(address)
    expect(verdict.embeddedIPv4).toBeUndefined()
    expect(verdict).toMatchObject({ public: false, range: '::/0' })
  },
)

it.each([
  '192.0.0.192',
  '100.100.100.200',
  '192.88.99.1',
  '2001::1',
  '2001:db8::1',
  '100::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('IP-20: %s is refused', (address) => {
  expect(isBlocked(address)).toBe(true)
})

it.each(['::127.0.0.1', '::7f00:1', '::a00:1', '::8.8.8.8'])(
  'IP-22: %s, IPv4-compatible, is refused',
  (address) => {
    expect(isBlocked(address)).toBe(true)
  },
)

it.each(['fec0::1', 'feff::1', 'ff00::1', 'ff02::fb', 'febf::1', 'fe80::1', 'fe7f::1', 'fe00::1'])(
  'IP-38: %s is refused',
  (address) => {
    expect(isBlocked(address)).toBe(true)
  },
)

it.each(['fe80::1%eth0', '2606:4700::1%eth0', '2606:4700::1%25eth0', '127.0.0.1%lo'])(
  'IP-38: %s has a zone and is refused',
  (address) => {
    expect(isBlocked(address)).toBe(true)
  },
)
