import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'

import type { HeaderList } from '../header-list.js'
import type { HopRequest } from './hop.js'
import { loadWebBotAuth } from './load-web-bot-auth.js'
import type { SigningPolicy } from '../options/signing-options.js'

/** The fields of one signature over one hop (RFC 9421, tag `web-bot-auth`): its authority and who signs. */
export async function signRequest(
  request: HopRequest,
  signing: SigningPolicy,
  nowMs: number,
): Promise<HeaderList> {
  const agent: HeaderList =
    signing.signatureAgent === undefined ? [] : [['signature-agent', JSON.stringify(signing.signatureAgent)]]
  const message = { method: request.method, url: request.url.href, headers: Object.fromEntries(agent) }
  const { signatures } = await loadWebBotAuth()
  const fields = await signatures.signatureHeaders(message, await createSigner(signing.key), {
    created: new Date(nowMs),
    expires: new Date(nowMs + signing.lifetimeSeconds * 1_000),
  })
  return [...agent, ['signature', fields.Signature], ['signature-input', fields['Signature-Input']]]
}

export interface Ed25519Signer {
  readonly alg: 'ed25519'
  readonly keyid: string
  sign(data: string): Uint8Array
}

/** A signer whose key id is the JWK thumbprint (RFC 7638). */
export async function createSigner(jwk: JsonWebKey): Promise<Ed25519Signer> {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  if (createPublicKey(privateKey).export({ format: 'jwk' }).x !== jwk.x) {
    throw new Error('The public part of the key does not belong to its private part.')
  }
  const { signatures, crypto } = await loadWebBotAuth()
  const { helpers } = crypto
  return {
    alg: 'ed25519',
    keyid: await signatures.jwkToKeyID(jwk, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE),
    sign: (data) => sign(null, Buffer.from(data), privateKey),
  }
}
