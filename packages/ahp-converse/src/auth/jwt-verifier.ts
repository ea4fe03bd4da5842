import { safeFetch } from '@doorplate/safe-fetch'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose'
import { invalidOption } from '../converse-error.js'
import type { VerifyCredential } from '../server/credential.js'
import type { Principal } from '../turn.js'

/** Options of `createJwtVerifier`. */
export interface JwtVerifierOptions {
  /** The keys themselves, or the https URL of the issuer's. */
  readonly keys: JSONWebKeySet | string
  readonly issuer: string
  /** What a token must be meant for: this site. */
  readonly audience: string
  /** Default: RS256, PS256, ES256, EdDSA. Never secrets that both sides know. */
  readonly algorithms?: readonly string[]
  /** Default: `sub`, and the scopes of `scope` (words in a text) or `scp` (a list). Null for a principal that has no place here. */
  readonly principal?: (claims: JWTPayload) => Principal | null
  /** How far clocks may be apart. Default: 5. */
  readonly clockToleranceSeconds?: number
  /** Fetches the keys. Default: the one of `@doorplate/safe-fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
}

const ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA']
const KEYS_TIMEOUT_MS = 5000

/**
 * Verifies bearer tokens that are JWTs (RFC 7519), by the package `jose`. A token that does not hold is nobody's; keys that
 * cannot be had are a fault of the site. API keys are nobody's.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function createJwtVerifier(options: JwtVerifierOptions): VerifyCredential {
  const { issuer, audience, algorithms = ALGORITHMS, clockToleranceSeconds = 5 } = options
  const { principal = principalOf, now = Date.now } = options
  for (const name of ['issuer', 'audience'] as const)
    if (typeof (options[name] as unknown) !== 'string' || options[name] === '')
      throw invalidOption(name, 'must be a string that is not empty')
  if (!isListOfPublic(algorithms))
    throw invalidOption('algorithms', 'must be a list of algorithms with a public key')
  if (!(Number.isFinite(clockToleranceSeconds) && clockToleranceSeconds >= 0))
    throw invalidOption('clockToleranceSeconds', 'must be a number of 0 or more')
  const keys = readKeys(options)

  return async ({ scheme, value }) => {
    if (scheme !== 'bearer') return null
    try {
      const { payload } = await jwtVerify(value, keys, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'exp'],
      })
      return principal(payload)
    } catch (error) {
      if (isTokensFault(error)) return null
      throw error
    }
  }
}

function readKeys({ keys, fetch = safeFetch }: JwtVerifierOptions): JWTVerifyGetKey {
  if (typeof keys !== 'string') {
    try {
      return createLocalJWKSet(keys)
    } catch {
      throw invalidOption('keys', 'must be a JSON Web Key Set or the URL of one')
    }
  }
  if (!URL.canParse(keys) || new URL(keys).protocol !== 'https:')
    throw invalidOption('keys', 'must be an https URL')
  return createRemoteJWKSet(new URL(keys), { [customFetch]: fetch, timeoutDuration: KEYS_TIMEOUT_MS })
}

function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  )
}

function isListOfPublic(algorithms: unknown): boolean {
  return Array.isArray(algorithms) && algorithms.length > 0 && !algorithms.some(isSymmetric)
}

function isSymmetric(algorithm: unknown): boolean {
  return typeof algorithm !== 'string' || /^HS|^none$/i.test(algorithm)
}

function principalOf({ sub, scope, scp }: JWTPayload): Principal | null {
  if (typeof sub !== 'string' || sub === '') return null
  const words = typeof scope === 'string' ? scope.split(' ') : []
  const listed: readonly unknown[] = Array.isArray(scp) ? scp : []
  const scopes = [...words, ...listed].filter((one): one is string => typeof one === 'string' && one !== '')
  return { id: sub, scopes }
}
