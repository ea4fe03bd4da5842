import { generateKeyPairSync } from 'node:crypto'
import { createSafeFetch, handleKeyDirectory, type SafeFetch } from '@doorplate/safe-fetch'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { signatureHeaders } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'
import { describe, expect, it } from 'vitest'
import { createJwtVerifier, type JwtVerifierOptions } from '../src/jwt.js'
import { createSecretVerifier, sameSecret, type SignedRequest } from '../src/server.js'
import { createAgentVerifier } from '../src/web-bot-auth.js'
import { openBookshop } from './bookshop.js'

/** 2026-01-01T00:00:00Z, as of the bookshop. */
const NOW = 1_767_225_600_000

describe('secrets', () => {
  const verify = createSecretVerifier([
    { secret: 'first-secret-of-many', principal: { id: 'first' } },
    { secret: 'second-secret-of-all', principal: { id: 'second', scopes: ['s'] }, scheme: 'api_key' },
  ])

  it('tell whose they are, by the scheme they were issued for', async () => {
    expect(await verify({ scheme: 'bearer', value: 'first-secret-of-many' })).toEqual({ id: 'first' })
    expect(await verify({ scheme: 'api_key', value: 'first-secret-of-many' })).toEqual({ id: 'first' })
    expect(await verify({ scheme: 'api_key', value: 'second-secret-of-all' })).toEqual({
      id: 'second',
      scopes: ['s'],
    })
    expect(await verify({ scheme: 'bearer', value: 'second-secret-of-all' })).toBeNull()
    for (const value of ['', 'first-secret-of-man', 'first-secret-of-manyy', 'FIRST-SECRET-OF-MANY'])
      expect(await verify({ scheme: 'bearer', value }), value).toBeNull()
  })

  it('CB-09: are compared whatever their lengths', async () => {
    for (const [one, other, isSame] of [
      ['', '', true],
      ['a', 'a', true],
      ['a', '', false],
      ['éé', 'é', false],
      ['ab', 'ac', false],
    ] as const)
      expect(await sameSecret(one, other)).toBe(isSame)
  })

  it('are refused when they are short', () => {
    expect(() => createSecretVerifier([{ secret: 'short', principal: { id: 'x' } }])).toThrow(
      /issued\[0\]\.secret/,
    )
    expect(() => createSecretVerifier([])).toThrow(/issued/)
  })
})

describe('a JWT', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] }
  const options: JwtVerifierOptions = {
    keys,
    issuer: 'https://id.example',
    audience: 'https://books.example',
    now: () => NOW,
  }
  const verify = createJwtVerifier(options)

  function sign(claims: Readonly<Record<string, unknown>> = {}, key = privateKey): Promise<string> {
    const whole = {
      iss: 'https://id.example',
      aud: 'https://books.example',
      sub: 'ann',
      exp: NOW / 1000 + 60,
      ...claims,
    }
    return new SignJWT(whole).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(key)
  }
  const principal = async (token: string): Promise<unknown> => verify({ scheme: 'bearer', value: token })

  it('tells its subject and scopes', async () => {
    expect(await principal(await sign())).toEqual({ id: 'ann', scopes: [] })
    expect(await principal(await sign({ scope: 'read write' }))).toEqual({
      id: 'ann',
      scopes: ['read', 'write'],
    })
    expect(await principal(await sign({ scp: ['read', 7] }))).toEqual({ id: 'ann', scopes: ['read'] })
  })

  it.each<[string, () => Promise<string>]>([
    ['expired', () => sign({ exp: NOW / 1000 - 6 })],
    ['not yet valid', () => sign({ nbf: NOW / 1000 + 60 })],
    ['without an end', () => sign({ exp: undefined })],
    ['without a subject', () => sign({ sub: undefined })],
    ['of another issuer', () => sign({ iss: 'https://evil.example' })],
    ['for another site', () => sign({ aud: 'https://other.example' })],
    ['signed by another', () => sign({}, other.privateKey)],
    ['no JWT', () => Promise.resolve('guess')],
    ['unsigned', () => Promise.resolve(`${btoa('{"alg":"none"}')}.${btoa('{"sub":"ann"}')}.`)],
    [
      'signed with the public key as a secret',
      () =>
        new SignJWT({ sub: 'ann' })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(JSON.stringify(keys))),
    ],
  ])('%s is nobody’s', async (_what, token) => {
    expect(await principal(await token())).toBeNull()
  })

  it('is looked at as a bearer token only', async () => {
    expect(await verify({ scheme: 'api_key', value: await sign() })).toBeNull()
  })

  it('is checked with keys that are fetched, and a failing issuer is a fault', async () => {
    const fetched: string[] = []
    const fetch: typeof globalThis.fetch = (url) => {
      fetched.push(url instanceof Request ? url.url : String(url))
      return Promise.resolve(Response.json(keys))
    }
    const remote = createJwtVerifier({ ...options, keys: 'https://id.example/keys', fetch })
    for (let time = 0; time < 2; time++)
      expect(await remote({ scheme: 'bearer', value: await sign() })).toEqual({ id: 'ann', scopes: [] })
    expect(fetched).toEqual(['https://id.example/keys'])
    const down = createJwtVerifier({
      ...options,
      keys: 'https://id.example/keys',
      fetch: () => Promise.resolve(new Response('', { status: 500 })),
    })
    await expect(Promise.resolve(down({ scheme: 'bearer', value: await sign() }))).rejects.toThrow()
  })

  it.each<[string, Partial<JwtVerifierOptions>]>([
    ['keys', { keys: 'http://id.example/keys' }],
    ['algorithms', { algorithms: ['HS256'] }],
    ['algorithms', { algorithms: [] }],
    ['issuer', { issuer: '' }],
    ['clockToleranceSeconds', { clockToleranceSeconds: Number.NaN }],
  ])('checks its option %s', (option, wrong) => {
    expect(() => createJwtVerifier({ ...options, ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }) as Error,
    )
  })
})

describe('an agent that signs', async () => {
  const AGENT = 'https://agent.example'
  const URL_ASKED = 'https://books.test/agent/converse'
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const stranger = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const directory = await (
    await handleKeyDirectory(new Request(`${AGENT}/.well-known/http-message-signatures-directory`), {
      keys: [jwk],
    })
  ).text()
  const time = Date.now()

  function directoryServer(fetched: string[], body = directory): SafeFetch['request'] {
    return (url) => {
      fetched.push(String(url))
      const bytes = new TextEncoder().encode(body)
      return Promise.resolve({
        url: String(url),
        redirected: false,
        status: 200,
        headers: {},
        isDecoded: false,
        body: bytes,
      })
    }
  }

  async function signed({
    url = URL_ASKED,
    key = jwk,
    agent = AGENT,
    createdAt = time,
    lifetimeMs = 60_000,
    components = ['@authority', 'signature-agent'],
  } = {}): Promise<Record<string, string>> {
    const headers = { 'signature-agent': JSON.stringify(agent) }
    const fields = await signatureHeaders({ method: 'POST', url, headers }, await signerFromJWK(key), {
      created: new Date(createdAt),
      expires: new Date(createdAt + lifetimeMs),
      components: components,
    })
    return { ...headers, signature: fields.Signature, 'signature-input': fields['Signature-Input'] }
  }

  /** The library does not sign so. */
  async function signedWithoutName(): Promise<Record<string, string>> {
    const fields = await signatureHeaders(
      { method: 'POST', url: URL_ASKED, headers: {} },
      await signerFromJWK(jwk),
      { created: new Date(time), expires: new Date(time + 60_000) },
    )
    return {
      'signature-agent': JSON.stringify(AGENT),
      signature: fields.Signature,
      'signature-input': fields['Signature-Input'],
    }
  }

  function asked(headers: Readonly<Record<string, string>>): SignedRequest {
    return { method: 'POST', url: URL_ASKED, header: (name) => headers[name] ?? null }
  }

  it('is known by its name, with keys that are fetched once', async () => {
    const fetched: string[] = []
    const identify = createAgentVerifier({
      agents: [AGENT],
      request: directoryServer(fetched),
      now: () => time,
    })
    for (let n = 0; n < 2; n++) expect(await identify(asked(await signed()))).toEqual({ id: AGENT })
    expect(fetched).toEqual([`${AGENT}/.well-known/http-message-signatures-directory`])
  })

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['unsigned', () => Promise.resolve({})],
    ['with a name alone', () => Promise.resolve({ 'signature-agent': JSON.stringify(AGENT) })],
    ['signed with another key', () => signed({ key: stranger })],
    ['signed for another site', () => signed({ url: 'https://other.test/agent/converse' })],
    ['signed without the site', () => signed({ components: ['signature-agent'] })],
    ['signed without the name', signedWithoutName],
    ['signed from tomorrow on', () => signed({ createdAt: time + 86_400_000 })],
    ['signed for too long', () => signed({ lifetimeMs: 90_000_000 })],
    ['expired', () => signed({ createdAt: time - 120_000 })],
    ['of an agent that the site does not know', () => signed({ agent: 'https://other.example' })],
    ['of no origin', () => signed({ agent: 'agent.example' })],
    ['with rubbish', async () => ({ ...(await signed()), signature: 'sig1=:AAAA:' })],
    ['with an input that cannot be read', async () => ({ ...(await signed()), 'signature-input': '(((' })],
  ])('is nobody when the request is %s', async (_what, headers) => {
    const identify = createAgentVerifier({ agents: [AGENT], request: directoryServer([]), now: () => time })
    expect(await identify(asked(await headers()))).toBeNull()
  })

  it('is nobody while its directory cannot be had, which is not asked for every time', async () => {
    let tries = 0
    const request: SafeFetch['request'] = () => {
      tries++
      return Promise.reject(new Error('down'))
    }
    let clock = time
    const identify = createAgentVerifier({ agents: [AGENT], request, now: () => clock })
    for (let n = 0; n < 3; n++)
      expect(await identify(asked(await signed({ lifetimeMs: 300_000 })))).toBeNull()
    expect(tries).toBe(1)
    clock += 60_000
    await identify(asked(await signed({ lifetimeMs: 300_000 })))
    expect(tries).toBe(2)
  })

  it.each(['null', '[]', '{"keys":7}', '{"keys":[null,{"kty":"OKP","crv":"Ed25519","x":"!"}]}', 'x'])(
    'is nobody with the directory %s',
    async (body) => {
      const identify = createAgentVerifier({
        agents: [AGENT],
        request: directoryServer([], body),
        now: () => time,
      })
      expect(await identify(asked(await signed()))).toBeNull()
    },
  )

  it('is a fact for whoever answers, and has limits of its own', async () => {
    const shop = await openBookshop({
      limits: { unauthenticated: { ask: '1/minute' }, authenticated: { ask: '2/minute' } },
      capabilities: {
        search: {
          description: '',
          mode: 'MODE2',
          answer: ({ verifiedAgent = 'a stranger' }) => ({ answer: `Hello, ${verifiedAgent}.` }),
        },
      },
      identifyAgent: createAgentVerifier({ agents: [AGENT], request: directoryServer([]), now: () => time }),
    })
    const ask = async (headers: Record<string, string>): Promise<unknown> => {
      const { status, json } = await shop.ask({ query: 'x' }, { headers })
      return status === 200 ? (json as { response: { answer: string } }).response.answer : status
    }
    expect(await ask({})).toBe('Hello, a stranger.')
    expect(await ask({})).toBe(429)
    const headers = await signed()
    expect([await ask(headers), await ask(headers), await ask(headers)]).toEqual([
      `Hello, ${AGENT}.`,
      `Hello, ${AGENT}.`,
      429,
    ])
    await shop.close()
  })

  it('is one that signs by safe-fetch', async () => {
    let sent: Readonly<Record<string, string | string[] | undefined>> = {}
    const shop = await openBookshop({
      identifyAgent: ({ header }) => {
        sent = Object.fromEntries(
          ['signature', 'signature-input', 'signature-agent'].map((name) => [name, header(name) ?? '']),
        )
        return null
      },
    })
    const fetch = createSafeFetch({
      dangerouslyAllow: [shop.server.host],
      signing: { key: jwk, signatureAgent: AGENT },
    })
    await fetch(`${shop.server.origin}/agent/converse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ capability: 'search', query: 'x' }),
    })
    const identify = createAgentVerifier({ agents: [AGENT], request: directoryServer([]) })
    const header = (name: string): string | null => (sent[name] as string | undefined) ?? null
    expect(await identify({ method: 'POST', url: `${shop.server.origin}/agent/converse`, header })).toEqual({
      id: AGENT,
    })
    await fetch.close()
    await shop.close()
  })

  it('has to be listed by an https origin', () => {
    for (const agents of [['http://agent.example'], ['agent.example'], 7])
      expect(() => createAgentVerifier({ agents: agents as string[] })).toThrow(/agents/)
    expect(() => createAgentVerifier({ agents: [], keysMaxAgeMs: 0.5 })).toThrow(/keysMaxAgeMs/)
  })
})
