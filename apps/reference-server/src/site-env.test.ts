import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createAddressReader } from './site-env.js'

function from(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

describe('the address of a visitor', () => {
  const read = createAddressReader(['127.0.0.1', '10.0.0.0/8'])

  it.each([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '203.0.113.9, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['127.0.0.1', 'evil" onload=x, 10.1.2.3', '127.0.0.1'],
    ['127.0.0.1', ',,', '127.0.0.1'],
    ['127.0.0.1', '2001:db8::7', '2001:db8::7'],
    [undefined, '198.51.100.7', ''],
  ])('connected from %s with %s is %s', (remoteAddress, forwarded, address) => {
    expect(read(from(remoteAddress, forwarded))).toBe(address)
  })

  it('is that of the connection where no proxy is trusted', () => {
    expect(createAddressReader([])(from('127.0.0.1', '198.51.100.7'))).toBe('127.0.0.1')
  })
})
