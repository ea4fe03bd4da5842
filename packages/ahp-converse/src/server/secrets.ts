import { invalidOption } from '../converse-error.js'
import type { Principal } from '../turn.js'
import type { VerifyCredential } from './credential.js'

/** A secret that a principal was given, as a bearer token or an API key. */
export interface IssuedSecret {
  /** At least 16 characters. */
  readonly secret: string
  readonly principal: Principal
  /** Default: either. */
  readonly scheme?: 'bearer' | 'api_key'
}

const MIN_LENGTH = 16

/** Whether two texts are the same, in a time that tells nothing of where they differ or how long they are. */
export async function sameSecret(given: string, expected: string): Promise<boolean> {
  const [one, other] = await Promise.all([digest(given), digest(expected)])
  return sameBytes(one, other)
}

/**
 * Checks credentials against a list of secrets. All are compared, each in constant time, and only their digests are kept.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function createSecretVerifier(issued: readonly IssuedSecret[]): VerifyCredential {
  if (!Array.isArray(issued) || issued.length === 0)
    throw invalidOption('issued', 'must be a list of secrets')
  for (const [index, { secret }] of (issued as readonly IssuedSecret[]).entries())
    if (typeof (secret as unknown) !== 'string' || secret.length < MIN_LENGTH)
      throw invalidOption(`issued[${index}].secret`, `must have at least ${MIN_LENGTH} characters`)
  const known = Promise.all(
    (issued as readonly IssuedSecret[]).map(async ({ secret, principal, scheme }) => ({
      digest: await digest(secret),
      principal,
      scheme,
    })),
  )
  return async ({ scheme, value }) => {
    const given = await digest(value)
    let found: Principal | null = null
    for (const one of await known) {
      const isSame = sameBytes(given, one.digest)
      if (isSame && (one.scheme ?? scheme) === scheme) found = one.principal
    }
    return found
  }
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}
