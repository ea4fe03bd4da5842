import { expect, it } from 'vitest'

import { createAllowList } from './allow-list.js'

const list = (...entries: string[]): ReturnType<typeof createAllowList> =>
  createAllowList('dangerouslyAllow', entries)

it('a host is allowed by name, on every port or on one', () => {
  expect(list('svc.internal').allowsHost('svc.internal', 1234)).toBe(true)
  expect(list('svc.internal:80').allowsHost('svc.internal', 80)).toBe(true)
  expect(list('svc.internal:80').allowsHost('svc.internal', 81)).toBe(false)
  expect(list('svc.internal').allowsHost('x.svc.internal', 80)).toBe(false)
  expect(list('SVC.Internal.').allowsHost('svc.internal.', 80)).toBe(true)
  expect(list('bücher.internal').allowsHost('xn--bcher-kva.internal', 80)).toBe(true)
})

it('an address is allowed in any spelling of it', () => {
  expect(list('127.0.0.1:80').allowsAddress('127.0.0.1', 80)).toBe(true)
  expect(list('127.0.0.1:80').allowsAddress('127.0.0.1', 81)).toBe(false)
  expect(list('127.0.0.1').allowsAddress('::ffff:7f00:1', 80)).toBe(true)
  expect(list('::ffff:127.0.0.1').allowsAddress('127.0.0.1', 80)).toBe(true)
  expect(list('::1').allowsAddress('0:0:0:0:0:0:0:1', 80)).toBe(true)
  expect(list('[::1]:80').allowsAddress('::1', 80)).toBe(true)
  expect(list('[::1]:80').allowsAddress('::1', 81)).toBe(false)
  expect(list('127.0.0.1').allowsAddress('127.0.0.2', 80)).toBe(false)
  expect(list('127.0.0.1').allowsHost('127.0.0.1', 80)).toBe(false)
})

it('a block is allowed and nothing beside it', () => {
  expect(list('10.0.0.0/8').allowsAddress('10.255.255.255', 80)).toBe(true)
  expect(list('10.0.0.0/8').allowsAddress('11.0.0.0', 80)).toBe(false)
  expect(list('10.0.0.0/8').allowsAddress('::ffff:10.1.2.3', 80)).toBe(true)
  expect(list('fd00::/8').allowsAddress('fd12::1', 80)).toBe(true)
  expect(list('fd00::/8').allowsAddress('fc00::1', 80)).toBe(false)
  expect(list('fd00::/8').allowsAddress('nonsense', 80)).toBe(false)
})

it.each([
  '',
  '*',
  '*.internal',
  'http://a.internal',
  'a.internal/path',
  'user@a.internal',
  'a.internal:0',
  'a.internal:65536',
  'a.internal:x',
  '10.0.0.1/8',
  '10.0.0.0/33',
  '0.0.0.0/0',
  '::/0',
  '::ffff:10.0.0.0/104',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  'fe80::1%eth0',
  '[::1',
  '[::1]:22',
  'a.internal:25',
  ' a.internal',
  'a.internal\n',
])('the entry %j is refused', (entry) => {
  expect(() => list(entry)).toThrow(
    expect.objectContaining({ code: 'invalid_option', option: 'dangerouslyAllow' }),
  )
})

it('the message names the entry, and no password', () => {
  const message = (entry: string) => (): unknown => list('svc.internal', entry)
  expect(message('http://a.internal')).toThrow(/CIDR blocks, which "http:\/\/a\.internal" is not /)
  expect(message('a.internal:25')).toThrow(/the Fetch standard blocks, as in "a\.internal:25"\.$/)
  expect(message('u:hunter2@a.internal')).toThrow(/^(?!.*hunter2).*which one with an @ is not /)
})

it('anything but a list of texts is refused', () => {
  for (const value of ['10.0.0.0/8', true, {}, [true], [10]]) {
    expect(() => createAllowList('dangerouslyAllow', value as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  }
})
