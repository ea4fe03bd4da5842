import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Hex as nobleSha256Hex } from '../sha256-noble.js'
import { sha256Hex as nodeSha256Hex } from '../sha256-node.js'
import { checksumOf, sha256Hex } from './checksum-of.js'

describe('checksumOf', () => {
  it('is the SHA-256 of the canonical text in UTF-8', () => {
    const digest = createHash('sha256').update('{"a":"é😀","b":1}', 'utf8').digest('hex')
    expect(checksumOf({ b: 1, a: 'é😀' })).toBe(`sha256:${digest}`)
  })
})

describe('sha256Hex', () => {
  it('gives the digest of FIPS 180-4 for text and for bytes', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(sha256Hex('abc')).toBe(digest)
    expect(sha256Hex(new Uint8Array([97, 98, 99]))).toBe(digest)
  })

  it('is the same from node:crypto and from @noble/hashes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 300 })), (data) => {
        expect(nobleSha256Hex(data)).toBe(nodeSha256Hex(data))
      }),
    )
  })

  it('takes the whole of a view and nothing around it', () => {
    const view = new Uint8Array([0, 97, 98, 99, 0]).subarray(1, 4)
    expect([nodeSha256Hex(view), nobleSha256Hex(view)]).toEqual([sha256Hex('abc'), sha256Hex('abc')])
  })
})
