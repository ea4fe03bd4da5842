import type { JsonWebKey } from 'node:crypto'

import { integerOption, invalidOption, isRecord, ownMembers } from './validate-option.js'

/** How requests are signed (Web Bot Auth, RFC 9421). */
export interface SigningOptions {
  /** The private Ed25519 key as JWK (`kty: "OKP", crv: "Ed25519"`, with `d`). */
  readonly key: JsonWebKey
  /** The https origin whose key directory holds the public key; sent as `Signature-Agent`. Default: none is sent. */
  readonly signatureAgent?: string
  /** How long a signature is valid. Default 60. */
  readonly lifetimeSeconds?: number
}

export interface SigningPolicy {
  readonly key: JsonWebKey
  readonly signatureAgent: string | undefined
  readonly lifetimeSeconds: number
}

const MEMBERS: ReadonlySet<string> = new Set(['key', 'signatureAgent', 'lifetimeSeconds'])

/** 32 bytes as base64url (RFC 8037, section 2). */
const KEY_PART = /^[\w-]{43}$/

export function parseSigning(given: SigningOptions | undefined): SigningPolicy | null {
  if (given === undefined) return null
  const signing = ownMembers('signing', given, MEMBERS)
  return {
    key: parsePrivateKey('signing.key', signing.key),
    signatureAgent: parseSignatureAgent(signing.signatureAgent),
    lifetimeSeconds: integerOption('signing.lifetimeSeconds', signing.lifetimeSeconds, 60, 1, 86_400),
  }
}

/** A private Ed25519 key and nothing else of the JWK; the error names the option and nothing of the key. */
export function parsePrivateKey(option: string, jwk: JsonWebKey): JsonWebKey {
  const { kty, crv, d, x }: JsonWebKey = isRecord(jwk) ? jwk : {}
  if (kty !== 'OKP' || crv !== 'Ed25519' || !KEY_PART.test(d ?? '') || !KEY_PART.test(x ?? '')) {
    throw invalidOption(option, 'a private Ed25519 key as JWK')
  }
  return { kty, crv, d, x } as JsonWebKey
}

function parseSignatureAgent(agent: string | undefined): string | undefined {
  if (agent === undefined) return undefined
  if (!URL.canParse(agent) || new URL(agent).protocol !== 'https:') {
    throw invalidOption('signing.signatureAgent', 'an https URL')
  }
  return new URL(agent).origin
}
