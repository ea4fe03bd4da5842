import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { JsonWebKey, KeyObject } from 'node:crypto'

import { SafeFetchError } from './errors.js'
import type { HeaderList } from './header-list.js'
import type { HopRequest } from './hop.js'
import { integerOption, invalidOption, knownMembers } from './validate-option.js'

export interface SigningOptions {
  /** The private Ed25519 key as JWK (`kty: "OKP", crv: "Ed25519"`, with `d`). */
  readonly key: JsonWebKey
  /** The https origin whose key directory holds the public key; sent as `Signature-Agent`. */
  readonly signatureAgent?: string
  /** How long a signature is valid. Default 60. */
  readonly lifetimeSeconds?: number
}

export interface SigningPolicy {
  readonly privateKey: KeyObject
  readonly signatureAgent: string | undefined
  readonly lifetimeSeconds: number
}

const MEMBERS: ReadonlySet<string> = new Set(['key', 'signatureAgent', 'lifetimeSeconds'])

export function parseSigning(signing: SigningOptions | undefined): SigningPolicy | null {
  if (signing === undefined) return null
  knownMembers('signing', signing, MEMBERS)
  return {
    privateKey: parsePrivateKey('signing.key', signing.key),
    signatureAgent: parseSignatureAgent(signing.signatureAgent),
    lifetimeSeconds: integerOption('signing.lifetimeSeconds', signing.lifetimeSeconds, 60, 1, 86_400),
  }
}

/** An Ed25519 private key; the error names the option and nothing of the key. */
export function parsePrivateKey(option: string, jwk: JsonWebKey): KeyObject {
  const key = importKey(jwk)
  if (key?.asymmetricKeyType !== 'ed25519') throw invalidOption(option, 'a private Ed25519 key as JWK')
  return key
}

/** The fields of one signature over one hop (RFC 9421, tag `web-bot-auth`). There is no unsigned fallback. */
export async function signRequest(
  request: HopRequest,
  signing: SigningPolicy,
  nowMs: number,
): Promise<HeaderList> {
  const agent: HeaderList =
    signing.signatureAgent === undefined ? [] : [['signature-agent', JSON.stringify(signing.signatureAgent)]]
  try {
    const { signatureHeaders } = await import('web-bot-auth')
    const message = { method: request.method, url: request.url.href, headers: Object.fromEntries(agent) }
    const fields = await signatureHeaders(message, await createSigner(signing.privateKey), {
      created: new Date(nowMs),
      expires: new Date(nowMs + signing.lifetimeSeconds * 1_000),
    })
    return [...agent, ['signature', fields.Signature], ['signature-input', fields['Signature-Input']]]
  } catch (cause) {
    throw new SafeFetchError('signing_failed', 'The request could not be signed and was not sent.', { cause })
  }
}

interface Ed25519Signer {
  readonly alg: 'ed25519'
  readonly keyid: string
  sign(data: string): Uint8Array
}

/** A signer whose key id is the JWK thumbprint (RFC 7638), as the directory draft has it. */
export async function createSigner(privateKey: KeyObject): Promise<Ed25519Signer> {
  const [{ jwkToKeyID }, { helpers }] = await Promise.all([
    import('web-bot-auth'),
    import('web-bot-auth/crypto'),
  ])
  const publicJwk = createPublicKey(privateKey).export({ format: 'jwk' })
  return {
    alg: 'ed25519',
    keyid: await jwkToKeyID(publicJwk, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE),
    sign: (data) => sign(null, Buffer.from(data), privateKey),
  }
}

function importKey(jwk: JsonWebKey): KeyObject | null {
  try {
    return createPrivateKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}

function parseSignatureAgent(agent: string | undefined): string | undefined {
  if (agent === undefined) return undefined
  if (!URL.canParse(agent) || new URL(agent).protocol !== 'https:') {
    throw invalidOption('signing.signatureAgent', 'an https URL')
  }
  return new URL(agent).origin
}
