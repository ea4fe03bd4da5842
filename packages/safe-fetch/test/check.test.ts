import { scriptedLookup } from '@internal/loopback'
import { describe, expect, it } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import type { SafeFetchOptions } from '../src/index.js'

function checker(names: Parameters<typeof scriptedLookup>[0] = {}, options: SafeFetchOptions = {}) {
  return createSafeFetch({ lookup: scriptedLookup(names), allowedPorts: [443], ...options })
}

describe('check', () => {
  it('lets through what may be called, without a connection', async () => {
    const { check } = checker({ 'a.example': ['93.184.216.34', '2606:2800:220:1::1'] })
    await expect(check('https://a.example/hook?x=1')).resolves.toBeUndefined()
    await expect(check('https://93.184.216.34/')).resolves.toBeUndefined()
  })

  it.each([
    ['a private address', 'https://10.0.0.1/'],
    ['a mapped address', 'https://[::ffff:7f00:1]/'],
    ['another scheme', 'ftp://a.example/'],
    ['a user', 'https://user:secret@a.example/'],
    ['another port', 'https://a.example:8443/'],
    ['a local name', 'https://printer.local/'],
    ['a name with a private address', 'https://private.example/'],
    ['a name with both', 'https://mixed.example/'],
  ])('refuses %s', async (_what, url) => {
    const { check } = checker({
      'a.example': ['93.184.216.34'],
      'private.example': ['192.168.1.1'],
      'mixed.example': ['93.184.216.34', '127.0.0.1'],
    })
    await expect(check(url)).rejects.toMatchObject({ code: 'blocked' })
  })

  it('refuses a name that nobody knows', async () => {
    await expect(checker().check('https://none.example/')).rejects.toMatchObject({ code: 'dns_failed' })
  })

  it('ends with the time, and with the signal', async () => {
    const { check } = checker({}, { lookup: () => undefined, timeoutMs: 5 })
    await expect(check('https://a.example/')).rejects.toMatchObject({ code: 'timeout' })
    const reason = new Error('gone')
    await expect(check('https://a.example/', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(check('https://a.example/', { timeoutMs: Number.NaN })).rejects.toMatchObject({
      code: 'invalid_option',
    })
  })
})
