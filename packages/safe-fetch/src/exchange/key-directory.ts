import type { JsonWebKey } from 'node:crypto'

import { loadWebBotAuth } from './load-web-bot-auth.js'
import { createSigner } from './sign-request.js'
import { parsePrivateKey } from '../options/signing-options.js'
import {
  functionOption,
  integerOption,
  invalidOption,
  ownMembers,
  listOption,
} from '../options/validate-option.js'

/** Where verifiers look for the keys of an origin (HTTP Message Signatures directory draft). */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'

/** Options of `handleKeyDirectory`. */
export interface KeyDirectoryOptions {
  /** The private Ed25519 keys in use, as JWK. Only their public halves are published. */
  readonly keys: readonly JsonWebKey[]
  /** How long the signature over the directory, and a cached copy of it, are valid. Default 3 600. */
  readonly lifetimeSeconds?: number
  /** The wall clock in milliseconds. Default `Date.now`. */
  readonly now?: () => number
}

const MEMBERS: ReadonlySet<string> = new Set(['keys', 'lifetimeSeconds', 'now'])

/**
 * Answers a request for the key directory of the `signatureAgent` that signs with these keys. The answer is signed with
 * each key, for the authority that was asked. GET and HEAD; anything else is 405.
 */
export async function handleKeyDirectory(request: Request, options: KeyDirectoryOptions): Promise<Response> {
  const { keys, lifetimeSeconds, nowMs } = parseOptions(options)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  }
  const { directoryResponseHeaders, MediaType } = (await loadWebBotAuth()).signatures
  const message = {
    request: { method: request.method, url: request.url, headers: {} },
    response: { status: 200, headers: {} },
  }
  const signers = await Promise.all(keys.map(createSigner))
  const signature = await directoryResponseHeaders(message, signers, {
    created: new Date(nowMs),
    expires: new Date(nowMs + lifetimeSeconds * 1_000),
  })
  const body = JSON.stringify({ keys: keys.map((key, index) => publicKey(key, signers[index]?.keyid)) })
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: {
      'content-type': MediaType.HTTP_MESSAGE_SIGNATURES_DIRECTORY,
      'cache-control': `max-age=${lifetimeSeconds}`,
      ...signature,
    },
  })
}

function parseOptions(given: KeyDirectoryOptions): {
  readonly keys: readonly JsonWebKey[]
  readonly lifetimeSeconds: number
  readonly nowMs: number
} {
  const options = ownMembers('KeyDirectoryOptions', given, MEMBERS)
  const keys = listOption('keys', options.keys).map((key) => parsePrivateKey('keys', key))
  if (keys.length === 0) throw invalidOption('keys', 'a list of at least one key')
  return {
    keys,
    lifetimeSeconds: integerOption('lifetimeSeconds', options.lifetimeSeconds, 3_600, 1, 31_536_000),
    nowMs: (functionOption('now', options.now) ?? Date.now)(),
  }
}

function publicKey(
  { kty, crv, x }: JsonWebKey,
  kid: string | undefined,
): JsonWebKey & { kid?: string | undefined } {
  return { kty, crv, x, kid, use: 'sig' } as JsonWebKey
}
