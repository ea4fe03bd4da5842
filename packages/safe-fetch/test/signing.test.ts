import { generateKeyPairSync } from 'node:crypto'

import { expect, it } from 'vitest'
import { jwkToKeyID, verify } from 'web-bot-auth'
import { helpers, verifierFromJWK } from 'web-bot-auth/crypto'

import { handleKeyDirectory, KEY_DIRECTORY_PATH } from '../src/index.js'
import { openWorld, redirectTo, rejection, routes, text } from './world.js'
import type { SeenRequest } from './world.js'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = privateKey.export({ format: 'jwk' })
const publicJwk = publicKey.export({ format: 'jwk' })

async function check({ url, method, headers }: SeenRequest): Promise<void> {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  await verify({ url, method, headers: plain }, await verifierFromJWK(publicJwk))
}

it('each hop carries one signature of its own, over its own authority', async () => {
  const world = await openWorld(
    routes({ 'https://a.example/': redirectTo('https://b.example/'), 'https://b.example/': text('b') }),
    { signing: { key, signatureAgent: 'https://bot.example' } },
  )
  await world.safeFetch('https://a.example/')
  expect(world.seen).toHaveLength(2)
  for (const request of world.seen) {
    await check(request)
    expect(request.headers['signature-agent']).toBe('"https://bot.example"')
    expect(request.headers['signature-input']).toMatch(
      /^sig1=\("@authority" "signature-agent"\).*tag="web-bot-auth"/,
    )
  }
  const [first, second] = world.seen
  expect(first?.headers['signature']).not.toBe(second?.headers['signature'])
  const swapped = { ...first!, headers: { ...second!.headers, host: 'a.example' } }
  await expect(check(swapped)).rejects.toThrow()
})

it("a caller's own signature gives way", async () => {
  const headers = {
    signature: 'sig1=:AA==:',
    'Signature-Input': 'sig1=()',
    'signature-agent': '"https://x.example"',
  }
  const world = await openWorld(text('x'), { signing: { key } })
  await world.safeFetch.request('https://a.example/', { headers })
  await check(world.seen[0]!)
  expect(world.seen[0]?.headers).not.toHaveProperty('signature-agent')
})

it('the key id is the thumbprint, the times come from the clock', async () => {
  const world = await openWorld(text('x'), {
    signing: { key, lifetimeSeconds: 30 },
    now: () => Date.parse('2026-01-01T00:00:00Z'),
  })
  await world.safeFetch.request('https://a.example/')
  const keyId = await jwkToKeyID(publicJwk, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE)
  const input = world.seen[0]?.headers['signature-input']
  expect(input).toContain(`keyid="${keyId}"`)
  expect(input).toContain('created=1767225600')
  expect(input).toContain('expires=1767225630')
  expect(world.seen[0]?.headers).not.toHaveProperty('signature-agent')
})

it('what cannot be signed is not sent', async () => {
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const world = await openWorld(text('x'), { signing: { key: { ...key, x: other.x! } } })
  const error = await rejection(world.safeFetch('https://a.example/'))
  expect(error).toMatchObject({ code: 'signing_failed', url: 'https://a.example/' })
  expect(world.seen).toEqual([])
})

it('the directory publishes the public half, signed for the authority that asked', async () => {
  const request = new Request(`https://bot.example${KEY_DIRECTORY_PATH}`)
  const response = await handleKeyDirectory(request, { keys: [key] })
  expect(response.headers.get('content-type')).toBe('application/http-message-signatures-directory+json')
  expect(response.headers.get('signature-input')).toMatch(/tag="http-message-signatures-directory"/)
  const body = await response.text()
  expect(JSON.parse(body)).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: publicJwk.x }] })
  expect(body).not.toContain(key.d)
})

it('the directory answers GET and HEAD', async () => {
  const url = `https://bot.example${KEY_DIRECTORY_PATH}`
  expect(await (await handleKeyDirectory(new Request(url, { method: 'HEAD' }), { keys: [key] })).text()).toBe(
    '',
  )
  const refused = await handleKeyDirectory(new Request(url, { method: 'POST' }), { keys: [key] })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  await expect(handleKeyDirectory(new Request(url), { keys: [] })).rejects.toMatchObject({ option: 'keys' })
})
